import { showName } from '../../abi/index.ts';
import { type Artifact, artifactAt } from '../../client/artifacts.ts';
import { codeOf } from '../../client/contracts.ts';
import { formatJson } from '../../client/json.ts';
import { originsOf } from '../../client/origins.ts';
import type { Hex } from '../../client/reading.ts';
import { facts } from '../../live/chain-state.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Badge } from '../../parts/layout.tsx';
import { OriginMark } from '../../parts/origin.tsx';
import { Scrolled } from '../../parts/scrolled.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { grouped } from '../../text/numbers.ts';

function Known({ artifact }: { readonly artifact: Artifact | undefined }) {
  if (artifact === undefined) {
    return (
      <p>
        <Badge>Unknown</Badge>{' '}
        <span class="quiet">The node knows no artifact of this code: start it with --artifacts.</span>
      </p>
    );
  }
  const { name, source, abi } = artifact;
  return (
    <>
      <p>
        <Badge tone="good">✓ Known by artifact</Badge>{' '}
        {name !== undefined && <strong>{showName(name)}</strong>}
      </p>
      {source?.text !== undefined && (
        <>
          <h3>
            {source.path} <CopyButton text={source.text} what="the source" />
          </h3>
          <Scrolled text={source.text} />
        </>
      )}
      <details>
        <summary>ABI</summary>
        <Scrolled text={formatJson(abi)} />
      </details>
    </>
  );
}

/** A contract's code, and its source where the node knows it. */
export function Code({ address }: { readonly address: Hex }) {
  const isForked = facts.value?.fork !== undefined;
  const loaded = useLoaded(`code ${address} ${isForked}`, async () => {
    const [code, artifact, origins] = await Promise.all([
      codeOf(address),
      artifactAt(address),
      isForked ? originsOf({ address }) : undefined,
    ]);
    return { code, artifact, origin: origins?.code };
  });
  return (
    <Show loaded={loaded} what="the code">
      {({ code, artifact, origin }) => (
        <div class="stack">
          <Known artifact={artifact} />
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
