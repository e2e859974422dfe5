/** Clients that subscribe and never read; a closed one is replaced. */

import { readFileSync } from 'node:fs';
import { now } from './clock.js';
import { subscribeAndSleep } from './subscriber.js';

/** Interval of checking for closed connections. */
const LOOK_MS = 1_000;
/** As `/proc/net/tcp` has it. */
const ESTABLISHED = '01';

/**
 * Lists the ports of clients at an address with open connections. A client that does not read cannot detect a close;
 * the system can.
 *
 * @param {import('./subscriber.js').Place} place
 * @returns {Set<number>}
 */
function openConnectionsOf({ port, from }) {
  const serversEnd = `:${hexOf(port, 4)}`;
  const address = from
    .split('.')
    .reverse()
    .map((part) => hexOf(Number(part), 2))
    .join('');
  const open = new Set();
  for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n')) {
    const [, own = '', other = '', state] = line.trim().split(/\s+/, 4);
    if (state !== ESTABLISHED || !own.endsWith(serversEnd) || !other.startsWith(address)) continue;
    open.add(Number.parseInt(other.slice(-4), 16));
  }
  return open;
}

/**
 * @param {number} value
 * @param {number} digits
 */
function hexOf(value, digits) {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

export class Sleepers {
  #place;
  #subscriptions;
  /** @type {Map<number, { at: number, end: () => void }>} */
  #all = new Map();
  /** @type {number[]} Seconds after which they were closed. */
  #closedAfter = [];
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {import('./subscriber.js').Place} place
   * @param {readonly (readonly unknown[])[]} subscriptions
   */
  constructor(place, subscriptions) {
    this.#place = place;
    this.#subscriptions = subscriptions;
  }

  /** @param {number} count */
  async open(count) {
    for (let opened = 0; opened < count; opened += 1) await this.#openOne();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  async #openOne() {
    const at = now();
    const { localPort, end } = await subscribeAndSleep(this.#place, this.#subscriptions);
    this.#all.set(localPort, { at, end });
  }

  #look() {
    const open = openConnectionsOf(this.#place);
    for (const [localPort, { at, end }] of this.#all) {
      if (open.has(localPort)) continue;
      this.#closedAfter.push((now() - at) / 1_000);
      end();
      this.#all.delete(localPort);
      this.#openOne().catch(() => undefined);
    }
  }

  /** Returns the number and the ages of closed connections, and the age of the oldest open one. */
  result() {
    const ages = [...this.#all.values()].map(({ at }) => (now() - at) / 1_000);
    return { closedAfter: this.#closedAfter, oldest: Math.max(0, ...ages) };
  }

  end() {
    clearInterval(this.#timer);
    for (const { end } of this.#all.values()) end();
  }
}
