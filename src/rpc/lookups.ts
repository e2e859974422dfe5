import type { BlockSummary, Ledger } from '../ledger/index.ts';
import { BLOCK_NUMBER_MAX } from '../limits.ts';
import { blockIdOfHash, type Hash } from '../protocol/index.ts';
import { type BlockObject, type TransactionObject, toBlock, toTransaction } from '../view/index.ts';
import type { BlockSelector } from './schemas/block.ts';

/** Finds the block of a hash (specification 2.1); undefined when there is none. */
export function blockByHash(ledger: Ledger, hash: Hash): BlockSummary | undefined {
  const id = blockIdOfHash(hash);
  return id === undefined ? undefined : ledger.blockById(id);
}

/** Finds the block of a TAG or number, `pending` being the latest; undefined beyond the head. */
export function blockBySelector(ledger: Ledger, selector: BlockSelector): BlockSummary | undefined {
  if (selector === 'latest' || selector === 'pending') return ledger.head();
  if (selector === 'earliest') return ledger.blockByNumber(0);
  return selector > BigInt(BLOCK_NUMBER_MAX) ? undefined : ledger.blockByNumber(Number(selector));
}

/** The block object of a block that was looked up; null when there is none. */
export function blockObject(
  ledger: Ledger,
  block: BlockSummary | undefined,
  fullTransactions: boolean,
): BlockObject | null {
  return block === undefined
    ? null
    : toBlock(block, ledger.blockTransactions(block.number), fullTransactions);
}

/** The transaction object at a position of a block that was looked up; null when there is none. */
export function transactionObject(
  ledger: Ledger,
  block: BlockSummary | undefined,
  index: bigint,
): TransactionObject | null {
  if (block === undefined || index >= BigInt(block.operationCount)) return null;
  const operation = ledger.operationAt(block.number, Number(index));
  return operation === undefined ? null : toTransaction(operation);
}
