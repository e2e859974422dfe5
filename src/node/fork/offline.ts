import type { EntrySource, ForkPoint, Upstream } from '../../fork/index.ts';
import type { ForkEntry } from '../../ledger/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { RequestFailedError } from '../../rpc/index.ts';

/** Methods with null for a hash that a chain does not have: without its node, that is what is known about it. */
const NULL_FOR_UNKNOWN: ReadonlySet<string> = new Set([
  'eth_getBlockByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
]);

/** Creates the upstream of a chain without a remote node: what was not fetched before is an error. */
export function offlineUpstream(point: ForkPoint, isPack: boolean): Upstream {
  return {
    isOffline: true,
    name: 'of the fork',
    counts: { requests: 0, calls: 0, milliseconds: 0 },
    calls: async (calls) =>
      calls.map(({ method, params }) => {
        if (NULL_FOR_UNKNOWN.has(method)) return { kind: 'result', result: null };
        throw notFetched(`the result of ${method} ${JSON.stringify(params)}`, point, isPack);
      }),
    close: async () => undefined,
  };
}

/** Refuses to fetch entries of the state, without a remote node. */
export function offlineState(point: ForkPoint, isPack: boolean): EntrySource['state'] {
  return async ([entry]) => {
    if (entry === undefined) return [];
    throw notFetched(`${describeEntry(entry)} at block ${point.number}`, point, isPack);
  };
}

function notFetched(what: string, { number }: ForkPoint, isPack: boolean): RequestFailedError {
  const remedy = isPack
    ? `start with --fork URL@${number} --data-dir FOLDER, run the same calls, and pack again (ledgerd fork pack)`
    : `start with --fork URL@${number}, which adds it`;
  return new RequestFailedError(`${what} was not fetched from the remote chain: ${remedy}`);
}

function describeEntry(entry: ForkEntry): string {
  switch (entry.kind) {
    case 'account':
      return `the account ${toPrefixedHex(entry.address)}`;
    case 'storage':
      return `slot ${toPrefixedHex(entry.slot)} of ${toPrefixedHex(entry.address)}`;
    case 'blockHash':
      return `the hash of block ${entry.number}`;
  }
}
