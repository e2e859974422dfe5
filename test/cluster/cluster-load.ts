import { setTimeout as delay } from 'node:timers/promises';
import { accountId, coreAmount, type Hash } from '../../src/protocol/index.ts';
import type { Signer } from '../crash/transactions.ts';
import { signOperations } from '../crash/transactions.ts';
import type { Random } from '../fuzz/random.ts';
import type { BlockObject } from '../json-rpc.ts';
import { requestOf, send } from '../rpc-client.js';

/** A transaction that a node has accepted. */
export interface Answered {
  readonly hash: string;
  /** No two transfers have the same. */
  readonly amount: bigint;
}

/** Milliseconds between two transfers of a client, and that it waits for an answer. */
const PAUSE_MS = 100;
const ANSWER_MS = 3_000;
const PATIENCE_SECONDS = 3_600;
const TRANSFER_FEE = 20n;
const RECEIVER = accountId(1_022);

/** Calls a method of a node. @returns undefined where there is no answer in time */
export async function ask<T>(url: string, method: string, ...params: unknown[]): Promise<T | undefined> {
  try {
    const { text } = await send(url, requestOf(method, ...params), {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return (JSON.parse(text) as { readonly result?: T }).result;
  } catch {
    return undefined;
  }
}

/** Clients that send transfers to whichever node they choose, and remember which were answered. */
export class ClusterLoad {
  readonly answered: Answered[] = [];
  readonly #chainId: Hash;
  readonly #random: Random;
  /** Counted up, so that no two transfers are equal. */
  #amount = 0n;

  constructor(chainId: Hash, random: Random) {
    this.#chainId = chainId;
    this.#random = random;
  }

  async run(signer: Signer, urls: () => readonly string[], stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const choices = urls();
      const url = choices[this.#random.below(choices.length)];
      if (url !== undefined) await this.#send(url, signer);
      await delay(PAUSE_MS);
    }
  }

  async #send(url: string, signer: Signer): Promise<void> {
    const head = await ask<BlockObject>(url, 'eth_getBlockByNumber', 'latest', false);
    if (head === undefined) return;
    this.#amount += 1n;
    const amount = this.#amount;
    const transfer = {
      type: 'transfer',
      fee: coreAmount(TRANSFER_FEE),
      from: signer.id,
      to: RECEIVER,
      amount: coreAmount(amount),
    } as const;
    const signed = signOperations([transfer], signer, this.#chainId, head, PATIENCE_SECONDS);
    const hash = await ask<string>(url, 'eth_sendRawTransaction', signed.raw);
    if (hash !== undefined) this.answered.push({ hash, amount });
  }
}
