import type { BlockSummary, FoundLog, LedgerQueries } from '../../ledger/index.ts';
import { type Hash, invariant } from '../../protocol/index.ts';

/** How subscribers of a profile are shown what happens; all of it is JSON text. */
export interface SubscriptionView {
  /** A block without its transactions. */
  header(block: number): string;
  logs(logs: readonly FoundLog[], removed: boolean): string[];
  /** The receipt of an operation in a block. */
  receipt(block: number, index: number): string;
  /** The hash of an accepted transaction; undefined where nobody could ask for it any more. */
  acceptedHash(hash: Hash): string | undefined;
  /** An accepted transaction, which may be in a block by now; undefined where it is gone. */
  acceptedTransaction(hash: Hash): string | undefined;
}

/** A block that a reader has come to. */
export function blockAt(ledger: LedgerQueries, number: number): BlockSummary {
  const block = ledger.blockByNumber(number);
  invariant(block !== undefined, 'every block up to the head is there');
  return block;
}
