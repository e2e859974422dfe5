/** One of the compared nodes. */

import { receiptOf } from '../differential/receipts.js';
import { withResults } from './step.js';

/** @typedef {import('./step.js').Step} Step */
/** @typedef {{ result?: any, error?: { code: number, message: string, data?: unknown } }} Outcome */

/** Characters of a hash. */
const HASH_LENGTH = 66;

/** A node with the results of its earlier steps. */
export class Side {
  #endpoint;
  #remoteHashes;
  /** @type {Map<string, unknown>} */
  #results = new Map();
  /** Names of hashes that nodes do not have in common. @type {Map<unknown, string>} */
  #names = new Map();

  /**
   * @param {import('../harness/endpoint.js').Endpoint} endpoint
   * @param {ReadonlySet<string>} remoteHashes hashes of the blocks that it has in common with others
   */
  constructor(endpoint, remoteHashes) {
    this.#endpoint = endpoint;
    this.#remoteHashes = remoteHashes;
  }

  /**
   * Runs a step.
   *
   * @param {Step} step
   * @returns {Promise<Outcome>}
   */
  async run({ method, params, saves, isOwn, isSend }) {
    const { result, error } = await this.#endpoint.ask(
      method,
      .../** @type {unknown[]} */ (withResults(params, this.#results)),
    );
    if (error !== undefined) return { error };
    if (saves !== undefined) this.#results.set(saves, result);
    if (isOwn) this.#names.set(result, `<${saves}>`);
    if (isSend) await receiptOf(this.#endpoint, result);
    return { result };
  }

  /**
   * Returns an outcome in which hashes of the node's own blocks, and its other own results, have names.
   *
   * @param {Step} step
   * @param {Outcome} outcome
   * @returns {Outcome}
   */
  named({ isOwn, saves }, outcome) {
    if (isOwn && outcome.error === undefined) return { result: `<${saves}>` };
    this.#nameBlocks(outcome.result);
    return /** @type {Outcome} */ (this.#replace(outcome));
  }

  /** @param {any} value */
  #nameBlocks(value) {
    if (typeof value !== 'object' || value === null) return;
    for (const item of Object.values(value)) this.#nameBlocks(item);
    const isBlock = 'parentHash' in value;
    const [hash, number] = isBlock ? [value.hash, value.number] : [value.blockHash, value.blockNumber];
    const isOwn = typeof hash === 'string' && !this.#remoteHashes.has(hash);
    if (!isOwn) return;
    this.#names.set(hash, `<block ${Number(number)}>`);
    if (isBlock && !this.#remoteHashes.has(value.parentHash))
      this.#names.set(value.parentHash, `<block ${number - 1}>`);
  }

  /** @param {any} value @returns {unknown} */
  #replace(value) {
    // Shorter texts, such as the id of a snapshot, may be anything.
    if (typeof value === 'string') return (value.length === HASH_LENGTH && this.#names.get(value)) || value;
    if (Array.isArray(value)) return value.map((item) => this.#replace(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#replace(item)]));
  }
}
