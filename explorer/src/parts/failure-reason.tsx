import type { Hex } from '../client/reading.ts';
import { callTree } from '../client/traces.ts';
import { useContracts } from '../contracts/known-contracts.ts';
import { reasonInWords } from '../contracts/words.ts';
import { useLoaded } from './use-loaded.ts';

/** The reason of a failure from the trace, since the receipt lacks it. */
export function FailureReason({ hash, to }: { readonly hash: Hex; readonly to: Hex | undefined }) {
  const loaded = useLoaded(`reason ${hash}`, () => callTree(hash));
  const contracts = useContracts(to === undefined ? [] : [to]);
  if (loaded.state !== 'ready') return null;
  const { error, output } = loaded.value.root;
  const reason = reasonInWords(to && contracts.get(to)?.abi, output);
  return <span>{reason ?? error}</span>;
}
