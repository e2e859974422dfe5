/** The event logs of a benchmark's chain, equal for every store and node. */

import { randomNumbers } from '../harness/random.js';

/** Logs of each operation: three transfers, a synchronization and a swap, as a trade on an exchange leaves them. */
const EVENTS = [0, 0, 0, 1, 2];
/** Operations of each block. */
const OPERATIONS = 2;
/** Logs of each block. */
export const LOGS_PER_BLOCK = OPERATIONS * EVENTS.length;
/** Contracts that write logs; a tenth of all logs are those of contract 0. */
const CONTRACTS = 1_000;
const POPULAR_SHARE = 0.1;
/** Accounts that topics name. */
const ACCOUNTS = 100_000;
/** Least number of blocks, of whose logs the planted ones are less than half. */
const LEAST_BLOCKS = 5_000;
/** Number of queried accounts: each has this many logs on contract 0, and four times as many on others. */
export const PROBES = 20;
export const MATCHES = 100;
const ELSEWHERE = 400;
/** The event that contract 0 writes as often as each probe appears, and all others together much more often. */
const RARE_EVENT = 3;

/** 20 bytes that look like an address of a contract. */
export function contractOf(number) {
  const bytes = new Uint8Array(20);
  bytes[0] = 1;
  new DataView(bytes.buffer).setUint32(16, number);
  return bytes;
}

/** A topic of 32 bytes: an event's are spread like hashes, an account's are an address with zeros before it. */
function eventOf(number) {
  return new Uint8Array(32).map((_, index) => (number * 37 + index * 101 + 11) % 256);
}

export function accountOf(number) {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(28, number);
  return bytes;
}

/** The account of a probe: none that chance chooses. */
export function probeOf(number) {
  return accountOf(ACCOUNTS + number);
}

export const RARE_TOPIC = eventOf(RARE_EVENT);
export const POPULAR_CONTRACT = contractOf(0);
export const TRANSFER_TOPIC = eventOf(0);

/** Bytes of a log's data. */
const DATA = new Uint8Array(64).fill(7);

/** The logs of every block: for each block, a list of operations, each a list of logs. */
export class LogPlan {
  #random = randomNumbers(1);
  #planted = new Map();

  /**
   * @param {number} blocks how many blocks there will be
   * @throws {RangeError} for fewer than leave room for the planted logs
   */
  constructor(blocks) {
    if (blocks < LEAST_BLOCKS)
      throw new RangeError(`a chain of the benchmark has at least ${LEAST_BLOCKS} blocks`);
    const choose = randomNumbers(2);
    const slots = blocks * LOGS_PER_BLOCK;
    const plant = (log, times) => {
      for (let placed = 0; placed < times; ) {
        const slot = choose(slots);
        // Only slots of transfers: their logs have an event and two accounts.
        if (EVENTS[slot % EVENTS.length] !== 0 || this.#planted.has(slot)) continue;
        this.#planted.set(slot, log);
        placed += 1;
      }
    };
    for (let probe = 0; probe < PROBES; probe += 1) {
      plant({ contract: 0, event: 0, from: ACCOUNTS + probe }, MATCHES);
      for (let index = 0; index < ELSEWHERE; index += 1) {
        plant({ contract: 1 + choose(CONTRACTS - 1), event: 0, from: ACCOUNTS + probe }, 1);
      }
    }
    plant({ contract: 0, event: RARE_EVENT, from: ACCOUNTS + PROBES }, MATCHES);
    for (let index = 0; index < 10 * ELSEWHERE; index += 1) {
      plant({ contract: 1 + choose(CONTRACTS - 1), event: RARE_EVENT, from: ACCOUNTS + PROBES }, 1);
    }
  }

  /**
   * @param {number} index counted from 0
   * @returns {{ address: Uint8Array, topics: Uint8Array[], data: Uint8Array }[][]} by operation
   */
  block(index) {
    const first = index * LOGS_PER_BLOCK;
    return Array.from({ length: OPERATIONS }, (_, operation) =>
      EVENTS.map((event, offset) => this.#log(first + operation * EVENTS.length + offset, event)),
    );
  }

  #log(slot, event) {
    const drawn = {
      contract: this.#random(1_000) < POPULAR_SHARE * 1_000 ? 0 : 1 + this.#random(CONTRACTS - 1),
      event,
      from: this.#random(ACCOUNTS),
    };
    const log = this.#planted.get(slot) ?? drawn;
    const topics = [eventOf(log.event)];
    if (event !== 1) topics.push(accountOf(log.from), accountOf(this.#random(ACCOUNTS)));
    return { address: contractOf(log.contract), topics, data: DATA };
  }
}
