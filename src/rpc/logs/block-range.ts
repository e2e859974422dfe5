import { quantity } from '../../view/index.ts';
import type { BlockSelector } from '../parameters/block.ts';
import type { LogCriteria } from '../parameters/log-options.ts';
import { type Place, refusal } from '../parameters/schema.ts';

/** The blocks that a filter or a query is about, both ends included. They need not be there yet. */
export interface BlockRange {
  readonly from: bigint;
  /** Undefined: up to the head, wherever that is. */
  readonly to: bigint | undefined;
}

/** Blocks that are there: numbers, both included. */
export interface BlockSpan {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Reads the range of log criteria (docs/interface.md#filters): a range that begins with `latest` begins at the head
 * of this moment, one that ends with `latest` has no end.
 *
 * @param head number of the newest block
 * @param place where the criteria stand in the request
 * @throws InvalidParametersError when it ends before it begins
 */
export function rangeOf({ fromBlock, toBlock }: LogCriteria, head: number, place: Place): BlockRange {
  const from = numberOf(fromBlock) ?? BigInt(head);
  const to = numberOf(toBlock);
  if (to === undefined || to >= from) return { from, to };
  // The first words are those of geth.
  throw refusal(
    place,
    `invalid block range params: fromBlock ${quantity(from)} is after toBlock ${quantity(to)}`,
  );
}

/** The blocks of a range from `first` to `head`; undefined when there are none. */
export function spanOf({ from, to }: BlockRange, first: number, head: number): BlockSpan | undefined {
  const [start, end] = [BigInt(first), BigInt(head)];
  const fromBlock = from > start ? from : start;
  const toBlock = to !== undefined && to < end ? to : end;
  return fromBlock > toBlock ? undefined : { fromBlock: Number(fromBlock), toBlock: Number(toBlock) };
}

/** Undefined for the newest block, which `pending` stands for, too. */
function numberOf(selector: BlockSelector): bigint | undefined {
  if (selector === 'latest' || selector === 'pending') return undefined;
  return selector === 'earliest' ? 0n : selector;
}
