import type { FoundLog, Ledger, LedgerQueries } from '../../ledger/index.ts';
import { data, ethereumHashOf, ethereumLogs, foundLog } from '../../view/index.ts';
import type { FilterView } from '../filters/filter.ts';

/** Logs with the hashes of their transactions that `/ethereum` has. */
export function logsAsOnEthereum(ledger: LedgerQueries, logs: readonly FoundLog[]): FoundLog[] {
  return ethereumLogs(logs, ({ block, operation }) => ledger.operationAt(block.number, operation));
}

/** How filters that are made on `/ethereum` show what they find. */
export function ethereumFilterView(ledger: Ledger): FilterView {
  return {
    logObjects: (logs) => logsAsOnEthereum(ledger, logs).map(foundLog),
    // What was accepted and replaced or dropped since has no hash any more that anybody could ask for.
    acceptedHashes: (hashes) =>
      hashes.flatMap((hash) => {
        const found = ledger.findOperation(hash);
        if (found === undefined) return [];
        return [data(found.kind === 'pending' ? ethereumHashOf(found) : ethereumHashOf({ ...found, hash }))];
      }),
  };
}
