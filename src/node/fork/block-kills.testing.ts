import { expect } from 'vitest';
import type { StoreProcess } from '../../store/store-process.testing.ts';
import { callNode, startForkProcess, word } from './forked-nodes.testing.ts';

/** A contract that increments the slot that the call names. */
export const COUNTER = '0xc0de00000000000000000000000000000000c0df';
export const COUNTER_CODE = '0x5f358054600101905500';
/** An account that receives coins from the transactions before the chosen one. */
export const RECEIVER = '0x00000000000000000000000000000000dead0002';
/** Slots that calls name; the remote chain has their number and 7 in them. */
export const COUNTED_SLOTS = 60;
/** Calls of a block's contract that are sent at one time. */
const SENDERS = 3;

/** A remote chain, and the transaction that forks of it begin before. */
export interface ForkedAt {
  readonly url: string;
  readonly transaction: string;
  /** Number of the block before that of the transaction. */
  readonly number: number;
  /** Wei that the transactions before it send to the receiver. */
  readonly received: bigint;
}

/** A chain in a data folder whose node is killed and started again, and what its clients know of it. */
export class KilledChain {
  readonly dataDir: string;
  readonly #at: ForkedAt;
  readonly #random: (below: number) => number;
  /** Hashes of transactions that were acknowledged. */
  readonly #acknowledged = new Set<string>();

  constructor(dataDir: string, at: ForkedAt, random: (below: number) => number) {
    this.dataDir = dataDir;
    this.#at = at;
    this.#random = random;
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Starts the node's process. */
  start(): StoreProcess {
    return startForkProcess(this.#at.url, this.dataDir, this.#at.transaction);
  }

  /**
   * Checks a chain that was started again, then sends transactions until it is killed: after a number of
   * acknowledgements, or by the caller.
   * @param isPending true if transactions wait for a block while others are sent
   */
  async live(child: StoreProcess, acknowledgements: number, isPending: boolean): Promise<void> {
    try {
      const url = await this.#checked(child);
      if (isPending) await callNode(url, 'evm_setAutomine', [false]);
      const last = this.#acknowledged.size + acknowledgements;
      const accounts = (await callNode(url, 'eth_accounts', [])) as string[];
      await Promise.all(
        accounts.slice(0, SENDERS).map(async (from) => {
          for (;;) {
            await this.#send(url, from);
            if (this.#acknowledged.size < last) continue;
            if (isPending) void callNode(url, 'evm_mine', []).catch(() => undefined);
            await child.kill();
          }
        }),
      );
    } catch (error) {
      // The connection or the process ended by the kill.
      const { signal } = await child.ended;
      if (signal !== 'SIGKILL' || error instanceof MismatchError) throw error;
    }
  }

  async #send(url: string, from: string): Promise<void> {
    const data = word(this.#random(COUNTED_SLOTS));
    const hash = await callNode(url, 'eth_sendTransaction', [{ from, to: COUNTER, data, gas: '0x20000' }]);
    this.#acknowledged.add(String(hash));
  }

  /** Starts the node once more, checks the chain, and ends. */
  async end(): Promise<void> {
    const child = this.start();
    await this.#checked(child);
    await child.kill();
  }

  /** Includes what waits for a block, and checks the chain. Returns the URL of its node. */
  async #checked(child: StoreProcess): Promise<string> {
    const { url } = await child.heard<{ url: string }>();
    await callNode(url, 'evm_mine', []);
    await this.#check(url);
    return url;
  }

  /** Checks that nothing acknowledged is missing, and that the state is that of the blocks. */
  async #check(url: string): Promise<void> {
    const counts = new Map<string, number>();
    const included = new Set<string>();
    const head = Number(await callNode(url, 'eth_blockNumber', []));
    for (let number = this.#at.number + 2; number <= head; number += 1) {
      const block = await callNode(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
      for (const { hash, input } of Object(block).transactions) {
        included.add(hash);
        counts.set(input, (counts.get(input) ?? 0) + 1);
      }
    }
    const slots: unknown[] = [];
    const expected: string[] = [];
    for (const [slot, count] of counts) {
      slots.push(await callNode(url, 'eth_getStorageAt', [COUNTER, slot, 'latest']));
      expected.push(word(Number(slot) + 7 + count));
    }
    const received = BigInt(String(await callNode(url, 'eth_getBalance', [RECEIVER, 'latest'])));
    const lost = [...this.#acknowledged].filter((hash) => !included.has(hash));
    try {
      expect({ lost, slots, received }).toEqual({ lost: [], slots: expected, received: this.#at.received });
    } catch (cause) {
      throw new MismatchError('the chain is not the one that was acknowledged', { cause });
    }
  }
}

/** A chain that differs from the one that its clients know. */
class MismatchError extends Error {}
