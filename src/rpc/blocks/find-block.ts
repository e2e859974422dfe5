import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import type { BlockSummary, IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { blockIdOfHash, type Hash } from '../../protocol/index.ts';
import type { BlockReference, BlockSelector } from '../parameters/block.ts';

/** Finds the block of a hash (docs/interface.md#block-hash); undefined when there is none. */
export function blockByHash(ledger: LedgerQueries, hash: Hash): BlockSummary | undefined {
  const id = blockIdOfHash(hash);
  return id === undefined ? undefined : ledger.blocks.blockById(id);
}

/**
 * Returns the number of a TAG or number; `pending` is the latest where the ledger has no such block; undefined where no
 * block can have it.
 */
export function numberOfSelector(ledger: LedgerQueries, selector: BlockSelector): number | undefined {
  const { number, isPending } = ledger.blocks.head();
  if (selector === 'pending') return number;
  if (selector === 'latest') return isPending === true ? number - 1 : number;
  if (selector === 'earliest') return 0;
  return selector > BigInt(BLOCK_NUMBER_MAX) ? undefined : Number(selector);
}

/** Finds the block of a TAG or number; undefined beyond the head. */
export function blockBySelector(ledger: LedgerQueries, selector: BlockSelector): BlockSummary | undefined {
  const number = numberOfSelector(ledger, selector);
  return number === undefined ? undefined : ledger.blocks.blockByNumber(number);
}

/** Finds the block of a TAG, number or hash; undefined where there is none. */
export function blockByReference(ledger: LedgerQueries, reference: BlockReference): BlockSummary | undefined {
  return typeof reference === 'object'
    ? blockByHash(ledger, reference.hash)
    : blockBySelector(ledger, reference);
}

/** Finds the operation at a position of the block of a number; undefined where there is none. */
export function operationIn(
  ledger: LedgerQueries,
  number: number | undefined,
  index: bigint,
): IncludedOperation | undefined {
  const block = number === undefined ? undefined : ledger.blocks.blockByNumber(number);
  if (block === undefined || index >= BigInt(block.operationCount)) return undefined;
  return ledger.blocks.operationAt(block.number, Number(index));
}
