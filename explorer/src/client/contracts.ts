import { STORAGE_SLOTS_MAX } from '../limits.ts';
import { blockByNumber, type Log, logsOf } from './blocks.ts';
import { fieldsOf, type Hex, hexOf, hexOrNone, optional } from './reading.ts';
import { call, callIfKnown } from './rpc.ts';

/** What is stored at a position. */
export interface Slot {
  readonly slot: Hex;
  readonly value: Hex;
}

/** Some of what a contract stores, in the order of the positions. */
export interface StoragePage {
  readonly slots: readonly Slot[];
  /** Where the next page begins; undefined where there is none. */
  readonly next: Hex | undefined;
}

/** Events, the newest first. */
export interface EventPage {
  readonly logs: readonly Log[];
  /** The newest block that was not looked at; undefined where all were. */
  readonly next: number | undefined;
}

/** The code at an address. @throws as `call` */
export async function codeOf(address: Hex): Promise<Hex> {
  return hexOrNone(await call('eth_getCode', address, 'latest')) ?? '0x';
}

/** What a contract stores from a position on. @throws as `call` */
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

/** Blocks of the first look for events; each further look takes in four times as many. */
const FIRST_BLOCKS = 256;
const GROWTH = 4;

/** What a contract has logged: the newest of it, up to a block, the newest first. @throws as `call` */
export async function eventsOf(address: Hex, upTo: number, wanted: number): Promise<EventPage> {
  const logs: Log[] = [];
  let last = upTo;
  for (let blocks = FIRST_BLOCKS; last >= 0 && logs.length < wanted; blocks *= GROWTH) {
    const first = Math.max(0, last - blocks + 1);
    const found = await logsOf(address, first, last);
    logs.push(...found.toReversed());
    last = first - 1;
  }
  return { logs, next: last < 0 ? undefined : last };
}

/** Who made a contract, and by which operation. */
export interface Creation {
  readonly creator: Hex;
  readonly hash: Hex;
}

/** How a contract came to be; undefined where the node does not tell. @throws as `call` */
export async function creationOf(address: Hex): Promise<Creation | undefined> {
  return optional(await callIfKnown('ots_getContractCreator', address), (answer) => {
    const { creator, hash } = fieldsOf(answer);
    return { creator: hexOf(creator), hash: hexOf(hash) };
  });
}
