import { BLOCK_NUMBER_MAX, OPERATION_INDEX_MAX } from '../../consensus.ts';
import type { Address } from '../../protocol/index.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { AddressOperation, AddressOperationQuery, OperationPosition } from '../operations.ts';
import { addressOperationKey, decodeCount, positionOfAddressKey } from '../tables/keys.ts';

const FIRST: OperationPosition = { block: 0, index: 0 };
const LAST: OperationPosition = { block: BLOCK_NUMBER_MAX, index: OPERATION_INDEX_MAX };

/** Reads the operations that involve an address, in the requested order. */
export function readAddressOperations(
  tables: TableReading,
  { address, order, from, limit }: AddressOperationQuery,
): AddressOperation[] {
  const isForward = order === 'oldestFirst';
  const of = (isSender: boolean): AddressOperation[] => {
    const start = keyOf(address, isSender, from ?? (isForward ? FIRST : LAST));
    const end = keyOf(address, isSender, isForward ? LAST : FIRST);
    const range = { start, end, inclusiveEnd: true, reverse: !isForward, limit: limit + 1 };
    return Array.from(tables.entries('addressOperations', range), ({ key }) => positionOfAddressKey(key))
      .filter((position) => from === undefined || comparePositions(position, from) !== 0)
      .map((position) => ({ ...position, isSender }));
  };
  const direction = isForward ? 1 : -1;
  const both = [...of(true), ...of(false)];
  return both.sort((left, right) => direction * comparePositions(left, right)).slice(0, limit);
}

/**
 * Finds the operation before which a sender had paid for `count` operations, by binary search: the counts increase
 * along the chain, unless a test has reduced them.
 */
export function readOperationOfSender(
  tables: TableReading,
  address: Address,
  count: number,
): OperationPosition | undefined {
  /** Returns true if the first operation of the address from a position on has a count of at most `count`. */
  const reaches = (position: OperationPosition): boolean => {
    const first = firstSent(tables, address, position);
    return first !== undefined && first.count <= count;
  };
  const block = lastWhere(BLOCK_NUMBER_MAX, (number) => reaches({ block: number, index: 0 }));
  if (block === undefined) return undefined;
  const index = lastWhere(OPERATION_INDEX_MAX, (number) => reaches({ block, index: number }));
  const found = index === undefined ? undefined : firstSent(tables, address, { block, index });
  return found?.count === count ? found.position : undefined;
}

/** Finds the greatest number up to a bound for which a monotone condition holds; undefined for none. */
function lastWhere(most: number, holds: (number: number) => boolean): number | undefined {
  if (!holds(0)) return undefined;
  let low = 0;
  let high = most + 1;
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Reads the first operation that an address sent from a position on, and its count of operations before. */
function firstSent(
  tables: TableReading,
  address: Address,
  from: OperationPosition,
): { readonly position: OperationPosition; readonly count: number } | undefined {
  const range = {
    start: keyOf(address, true, from),
    end: keyOf(address, true, LAST),
    inclusiveEnd: true,
    limit: 1,
  };
  for (const { key, value } of tables.entries('addressOperations', range)) {
    return { position: positionOfAddressKey(key), count: decodeCount(value) };
  }
  return undefined;
}

function keyOf(address: Address, isSender: boolean, { block, index }: OperationPosition): Uint8Array {
  return addressOperationKey(address, isSender, block, index);
}

/** Compares positions by chain order: negative if the left one is earlier. */
function comparePositions(left: OperationPosition, right: OperationPosition): number {
  return left.block - right.block || left.index - right.index;
}
