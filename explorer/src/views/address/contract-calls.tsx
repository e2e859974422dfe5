import { artifactAt } from '../../client/artifacts.ts';
import type { Hex } from '../../client/reading.ts';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { ContractForms } from '../../tools/contract-forms.tsx';

/** Forms to call a contract and to send to it. */
export function ContractCalls({
  address,
  code,
}: {
  readonly address: Hex;
  /** The address whose code it runs. */
  readonly code: Hex;
}) {
  const loaded = useLoaded(`artifact ${code}`, () => artifactAt(code));
  return (
    <Show loaded={loaded} what="the interface">
      {(artifact) => <ContractForms address={address} abi={artifact?.abi} />}
    </Show>
  );
}
