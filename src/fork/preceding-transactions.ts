import { encodeRlp, RlpReader } from '../protocol/index.ts';
import type { Store, StoreReader } from '../store/index.ts';
import { ForkPointError } from './fork-errors.ts';
import { FORK_PACK_VALUE_BYTES_MAX } from './fork-pack.ts';
import { historyKey } from './fork-tables.ts';

const KEY = historyKey('preceding transactions');
const NOTHING = new Uint8Array();

/**
 * Stores the transactions with which a chain begins that was forked at a transaction, so that a pack of it begins with
 * them, too. Replaces those of another start, which was killed before its chain had begun.
 *
 * @throws {ForkPointError} for more than a pack can have
 */
export function storePreceding(store: Store, transactions: readonly Uint8Array[]): void {
  const before = store.state(KEY);
  if (transactions.length === 0 && before === undefined) return;
  const after = encodeRlp(transactions);
  if (after.length > FORK_PACK_VALUE_BYTES_MAX) {
    throw new ForkPointError(
      `the transactions before the chosen one have ${after.length} bytes, of at most ${FORK_PACK_VALUE_BYTES_MAX}: ` +
        'fork at a block',
    );
  }
  store.commitPatch({
    patch: NOTHING,
    state: [{ key: KEY, before, after }],
    counts: [],
    accumulator: NOTHING,
  });
}

/** Returns the transactions with which the chain of a fork begins. @throws DecodeError for a damaged record */
export function precedingIn(store: StoreReader): readonly Uint8Array[] {
  const stored = store.state(KEY);
  if (stored === undefined) return [];
  const transactions: Uint8Array[] = [];
  const list = new RlpReader(stored).readList('preceding transactions');
  while (list.hasMore) transactions.push(list.readBytes('transaction'));
  return transactions;
}
