import { type Address, concatBytes, type Hash, readUint32, writeUint32 } from '../../protocol/index.ts';
import type { IndexedLog, LogPosition, LogPositionQuery } from '../store.ts';

/**
 * Kinds of lists of logs: the first byte of a list's key. The rest of the key is the value that all logs of the list
 * share. A number keeps its meaning for ever.
 */
const LISTS = {
  /** every log */
  any: 1,
  /** address (20) of the contract */
  address: 2,
  /** address (20) ‖ first topic (32): the conditions of most queries; each of the two other lists may be long */
  addressAndEvent: 3,
  /** topic (32) at the first position; the next numbers are those of the other positions */
  firstTopic: 4,
} as const;

/** Bytes of an entry of a list. */
export const POSITION_BYTES = 12;

export function listsOf({ address, topics }: IndexedLog): Uint8Array[] {
  const [event] = topics;
  const lists = [anyList(), addressList(address)];
  if (event !== undefined) lists.push(addressAndEventList(address, event));
  for (const [index, topic] of topics.entries()) lists.push(topicList(index, topic));
  return lists;
}

/**
 * Returns the conditions of a query as groups of lists: a matching log is in at least one list of each group. Address
 * and first topic become one group of their pairs, unless the pairs are more than `pairsMax`.
 */
export function conditionsOf({ addresses, topics }: LogPositionQuery, pairsMax: number): Uint8Array[][] {
  const events = topics[0] ?? [];
  const pairs = addresses.length * events.length;
  const paired = pairs > 0 && pairs <= pairsMax;
  const conditions = topics.map((alternatives, index) =>
    paired && index === 0
      ? addresses.flatMap((address) => events.map((event) => addressAndEventList(address, event)))
      : alternatives.map((topic) => topicList(index, topic)),
  );
  if (!paired) conditions.push(addresses.map(addressList));
  const restricting = conditions.filter((lists) => lists.length > 0);
  return restricting.length > 0 ? restricting : [[anyList()]];
}

function anyList(): Uint8Array {
  return Uint8Array.of(LISTS.any);
}

function addressList(address: Address): Uint8Array {
  return listKey(LISTS.address, address);
}

function addressAndEventList(address: Address, event: Hash): Uint8Array {
  return concatBytes(Uint8Array.of(LISTS.addressAndEvent), address, event);
}

function topicList(index: number, topic: Hash): Uint8Array {
  return listKey(LISTS.firstTopic + index, topic);
}

function listKey(list: number, value: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(list), value);
}

/** Writes an entry of a list: block number, operation index and offset, 4 bytes each. */
export function encodePosition(
  { block, operation, offset }: LogPosition,
  bytes = new Uint8Array(POSITION_BYTES),
): Uint8Array {
  writeUint32(bytes, 0, block);
  writeUint32(bytes, 4, operation);
  writeUint32(bytes, 8, offset);
  return bytes;
}

/** Reads an entry of a list. */
export function decodePosition(bytes: Uint8Array): LogPosition {
  return { block: readUint32(bytes, 0), operation: readUint32(bytes, 4), offset: readUint32(bytes, 8) };
}

/** Compares positions by chain order: negative if the left one is earlier. */
export function comparePositions(left: LogPosition, right: LogPosition): number {
  return left.block - right.block || left.operation - right.operation || left.offset - right.offset;
}
