/** Sends prepared transactions from several connections at once, each until its receipt arrives. */

import { Connection } from '../harness/connection.js';
import { busyBetween, processorTimes } from '../harness/processor.js';

/** Longest time that a load sends: on a slow peer it ends before its last transaction. */
const LOAD_MS_MAX = 20_000;
const FAILURE_LENGTH_MAX = 300;

/**
 * @typedef {import('../harness/processor.js').ProcessorTimes} ProcessorTimes
 * @typedef {{ transactions: number, ms: number, before: ProcessorTimes, after: ProcessorTimes }} Sent
 */

/** The connections of a load, each with the transactions that remain. */
export class Load {
  #node;
  #connections;
  #lists;
  /** @type {number[]} */
  #next;

  constructor(node, connections, lists) {
    this.#node = node;
    this.#connections = connections;
    this.#lists = lists;
    this.#next = lists.map(() => 0);
  }

  /**
   * Opens a connection for each list of transactions.
   *
   * @param {{ port: number, path: string, processId: number }} node
   * @param {readonly (readonly import('./senders.js').Prepared[])[]} lists of one sender each
   */
  static async open(node, lists) {
    const connections = await Promise.all(lists.map(() => Connection.open(node.port, node.path)));
    return new Load(node, connections, lists);
  }

  /**
   * Sends the next transactions of each sender.
   *
   * @param {number} each
   * @returns {Promise<Sent>}
   * @throws {Error} with the response when a transaction fails
   */
  async send(each) {
    const before = processorTimes(this.#node);
    const started = performance.now();
    const end = started + LOAD_MS_MAX;
    const counts = await Promise.all(
      this.#connections.map((connection, sender) => this.#sendFrom(connection, sender, each, end)),
    );
    const ms = performance.now() - started;
    const transactions = counts.reduce((sum, count) => sum + count, 0);
    return { transactions, ms, before, after: processorTimes(this.#node) };
  }

  async #sendFrom(connection, sender, each, end) {
    const first = this.#next[sender] ?? 0;
    const chosen = this.#lists[sender]?.slice(first, first + each) ?? [];
    let sent = 0;
    for (const prepared of chosen) {
      if (performance.now() > end) break;
      await sendOne(connection, prepared);
      sent += 1;
    }
    this.#next[sender] = first + sent;
    return sent;
  }

  close() {
    for (const connection of this.#connections) connection.close();
  }
}

/**
 * Sends a transaction and polls its receipt. The texts of the responses are not parsed, which keeps the generator fast.
 *
 * @param {Connection} connection
 * @param {import('./senders.js').Prepared} prepared
 */
async function sendOne(connection, { send, receipt }) {
  const accepted = await connection.send(send);
  if (!accepted.includes('"result"')) throw failureOf(accepted);
  while (true) {
    const text = await connection.send(receipt);
    if (text.includes('"status":"0x1"')) return;
    if (!text.includes('"result":null')) throw failureOf(text);
  }
}

/** @param {string} text */
function failureOf(text) {
  return new Error(`a transaction failed: ${text.slice(0, FAILURE_LENGTH_MAX)}`);
}

/**
 * Makes the outcome of a number of transactions between two looks at the processor times.
 *
 * @param {number} value
 * @param {Pick<Sent, 'transactions' | 'before' | 'after'>} sent
 * @returns {import('../harness/measured.js').Outcome}
 */
export function outcomeOf(value, { transactions, before, after }) {
  return {
    value,
    processor: (1e6 * (after.server - before.server)) / transactions,
    busy: busyBetween(before, after),
  };
}
