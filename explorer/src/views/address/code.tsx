import { artifactAt } from '../../client/artifacts.ts';
import { codeOf } from '../../client/contracts.ts';
import { originsOf } from '../../client/origins.ts';
import type { Hex } from '../../client/reading.ts';
import { facts } from '../../live/chain-state.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { OriginMark } from '../../parts/origin.tsx';
import { Scrolled } from '../../parts/scrolled.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { grouped } from '../../text/numbers.ts';

/** A contract's code, and its source where the node knows it. */
export function Code({ address }: { readonly address: Hex }) {
  const isForked = facts.value?.fork !== undefined;
  const loaded = useLoaded(`code ${address} ${isForked}`, async () => {
    const [code, artifact, origins] = await Promise.all([
      codeOf(address),
      artifactAt(address),
      isForked ? originsOf({ address }) : undefined,
    ]);
    return { code, source: artifact?.source, origin: origins?.code };
  });
  return (
    <Show loaded={loaded} what="the code">
      {({ code, source, origin }) => (
        <div class="stack">
          {source?.text !== undefined && (
            <>
              <h3>{source.path}</h3>
              <Scrolled text={source.text} />
            </>
          )}
          <h3>
            Code <span class="quiet">{grouped((code.length - 2) / 2)} bytes</span>{' '}
            <CopyButton text={code} what="the code" />
            <OriginMark origin={origin} />
          </h3>
          <Scrolled text={code} />
        </div>
      )}
    </Show>
  );
}
