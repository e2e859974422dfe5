import {
  type Address,
  type Hash,
  hexToBytes,
  invariant,
  numberToBytes,
  toAddress,
  toHash,
} from '../../protocol/index.ts';
import type { CallEnd, CallStart, SelfDestruct, TraceListener } from '../engine/tracing.ts';
import type { Log } from '../types.ts';

/** The contract of the logs of transfers of ether (ERC-7528). */
const ETHER_ADDRESS = toAddress(hexToBytes('ee'.repeat(20)));
/** keccak256('Transfer(address,address,uint256)'). */
const TRANSFER_TOPIC = toHash(hexToBytes('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'));

const WORD_BYTES = 32;

/** Collects the logs of one transaction that are not reverted, and adds transfers of ether as ERC-20 transfer logs. */
export class EtherLogs implements TraceListener {
  /** Logs of each running call, the outermost first. */
  readonly #open: Log[][] = [];
  /** Logs of the whole transaction, once it has ended. */
  logs: readonly Log[] = [];

  enter({ kind, from, to, value }: CallStart): void {
    this.#open.push([]);
    // DELEGATECALL and CALLCODE transfer no value: their code runs in the account of the caller.
    if (kind !== 'DELEGATECALL' && kind !== 'CALLCODE') this.#transfer(from, to, value);
  }

  leave({ failure }: CallEnd): void {
    const logs = this.#open.pop();
    invariant(logs !== undefined, 'a call that ends has begun');
    const committed = failure === undefined ? logs : [];
    const parent = this.#open.at(-1);
    if (parent === undefined) this.logs = committed;
    else for (const log of committed) parent.push(log);
  }

  log(log: Log): void {
    this.#open.at(-1)?.push(log);
  }

  selfDestruct({ from, to, balance }: SelfDestruct): void {
    this.#transfer(from, to, balance);
  }

  #transfer(from: Address, to: Address, value: bigint): void {
    if (value === 0n) return;
    const topics = [TRANSFER_TOPIC, topicOf(from), topicOf(to)];
    const data = numberToBytes(value, WORD_BYTES);
    this.#open.at(-1)?.push({ address: ETHER_ADDRESS, topics, data });
  }
}

/** Returns an address as a word, the encoding of indexed parameters of events. */
function topicOf(address: Address): Hash {
  const word = new Uint8Array(WORD_BYTES);
  word.set(address, word.length - address.length);
  return toHash(word);
}
