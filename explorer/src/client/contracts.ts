import { STORAGE_SLOTS_MAX } from '../limits.ts';
import { blockByNumber, type Log, logsOf, receiptOf } from './blocks.ts';
import { CallError } from './errors.ts';
import { fieldsOf, type Hex, hexOf, hexOrNone, optional } from './reading.ts';
import { call, callIfKnown } from './rpc.ts';

/** A storage slot and its value. */
export interface Slot {
  readonly slot: Hex;
  readonly value: Hex;
}

/** A page of a contract's storage, by position. */
export interface StoragePage {
  readonly slots: readonly Slot[];
  /** Start of the next page; undefined on the last one. */
  readonly next: Hex | undefined;
}

/** A point of the chain from which older events are read. */
export interface EventPlace {
  /** The newest block that is read. */
  readonly block: number;
  /** Operations of that block that are read, counted from its first; undefined for all. */
  readonly operations?: number;
}

/** Events, the newest first. */
export interface EventPage {
  readonly logs: readonly Log[];
  /** Position of the next events; undefined on the last page. */
  readonly next: EventPlace | undefined;
}

/** The code at an address. @throws as `call` */
export async function codeOf(address: Hex): Promise<Hex> {
  return hexOrNone(await call('eth_getCode', address, 'latest')) ?? '0x';
}

/** Reads the storage of a contract from a position on. @throws as `call` */
export async function storageOf(address: Hex, start: Hex | undefined): Promise<StoragePage> {
  const head = await blockByNumber('latest');
  // Nothing can be looked behind before the first block.
  if (head === undefined || head.number === 0) return { slots: [], next: undefined };
  const from = start ?? `0x${'0'.repeat(64)}`;
  const index = `0x${head.hashes.length.toString(16)}`;
  const answer = fieldsOf(
    await call(
      'debug_storageRangeAt',
      head.hash,
      index,
      address,
      from,
      `0x${STORAGE_SLOTS_MAX.toString(16)}`,
    ),
  );
  const slots = Object.values(fieldsOf(answer.storage)).map((entry) => {
    const { key, value } = fieldsOf(entry);
    return { slot: hexOf(key), value: hexOf(value) };
  });
  return { slots, next: hexOrNone(answer.nextKey) };
}

/** Each range of blocks that is searched for events is as many times longer than the one before. */
const GROWTH = 4;
const LIMIT_EXCEEDED = -32005;

/**
 * Returns at least as many events of a contract as are wanted, the newest first. It reads one block at first and then
 * longer ranges, and a block with more logs than one response may have operation by operation.
 *
 * @throws as `call`
 */
export async function eventsOf(address: Hex, from: EventPlace, wanted: number): Promise<EventPage> {
  if (from.operations !== undefined) return eventsInBlock(address, from.block, from.operations, wanted);
  const logs: Log[] = [];
  let last = from.block;
  let blocks = 1;
  while (last >= 0 && logs.length < wanted) {
    const first = Math.max(0, last - blocks + 1);
    const found = await logsWithinLimit(address, first, last);
    if (found !== undefined) {
      logs.push(...found.toReversed());
      last = first - 1;
      blocks *= GROWTH;
    } else if (blocks > 1) {
      // It may be the oldest block of the range that has most of them.
      blocks = Math.ceil(blocks / GROWTH);
    } else {
      return logs.length > 0
        ? { logs, next: { block: last } }
        : eventsInBlock(address, last, undefined, wanted);
    }
  }
  return { logs, next: last < 0 ? undefined : { block: last } };
}

/** Returns the logs of some blocks; undefined where they are too many for one response. */
async function logsWithinLimit(
  address: Hex,
  first: number,
  last: number,
): Promise<readonly Log[] | undefined> {
  try {
    return await logsOf(address, first, last);
  } catch (error) {
    if (error instanceof CallError && error.code === LIMIT_EXCEEDED) return undefined;
    throw error;
  }
}

/** Returns events of one block out of the receipts of its operations, which it reads one by one. */
async function eventsInBlock(
  address: Hex,
  number: number,
  operations: number | undefined,
  wanted: number,
): Promise<EventPage> {
  const hashes = (await blockByNumber(number))?.hashes ?? [];
  const logs: Log[] = [];
  let index = operations ?? hashes.length;
  for (let hash = hashes[index - 1]; hash !== undefined && logs.length < wanted; hash = hashes[index - 1]) {
    const receipt = await receiptOf(hash);
    logs.push(...(receipt?.logs.filter((log) => log.address === address).toReversed() ?? []));
    index -= 1;
  }
  if (index > 0) return { logs, next: { block: number, operations: index } };
  return { logs, next: number === 0 ? undefined : { block: number - 1 } };
}

/** The creator of a contract, and the operation that created it. */
export interface Creation {
  readonly creator: Hex;
  readonly hash: Hex;
}

/** Returns the creation of a contract; undefined if the node does not know it. @throws as `call` */
export async function creationOf(address: Hex): Promise<Creation | undefined> {
  return optional(await callIfKnown('ots_getContractCreator', address), (answer) => {
    const { creator, hash } = fieldsOf(answer);
    return { creator: hexOf(creator), hash: hexOf(hash) };
  });
}
