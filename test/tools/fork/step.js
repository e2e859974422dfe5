/** Steps of the comparison: requests, some of whose parameters are results of earlier ones. */

/**
 * @typedef {object} Step
 * @property {string} method
 * @property {readonly unknown[]} params
 * @property {string} [saves] name of the result
 * @property {boolean} [isOwn] the result is the node's own, such as the id of a snapshot, and differs
 * @property {boolean} [fails] the response is an error
 * @property {boolean} [isSend] the transaction is awaited
 * @property {'0x0' | '0x1'} [status] of the receipt that is the result
 * @property {string} [tag] name for an explained difference
 */

/** Fees of a transaction, so that it has the same hash on each node. */
const FEES = { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x3b9aca00' };

/** A result of an earlier step, which each node has for itself. */
class Saved {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }
}

/**
 * Makes a step whose response is a result.
 *
 * @param {string} method
 * @param {...unknown} params
 * @returns {Step}
 */
export const step = (method, ...params) => ({ method, params });

/**
 * Makes a step whose response is an error.
 *
 * @param {string} method
 * @param {...unknown} params
 * @returns {Step}
 */
export const failing = (method, ...params) => ({ method, params, fails: true });

/**
 * Makes a step whose result differs from node to node, and is a parameter of later steps.
 *
 * @param {string} name
 * @param {string} method
 * @param {...unknown} params
 * @returns {Step}
 */
export const own = (name, method, ...params) => ({ method, params, saves: name, isOwn: true });

/**
 * Names a step for an explained difference.
 *
 * @param {string} tag
 * @param {Step} named
 * @returns {Step}
 */
export const tagged = (tag, named) => ({ ...named, tag });

/**
 * Names the result of an earlier step as a parameter.
 *
 * @param {string} name
 */
export const saved = (name) => new Saved(name);

/**
 * Sends a transaction, and reads its receipt.
 *
 * @param {string} name
 * @param {object} transaction
 * @param {{ status?: '0x0' | '0x1', isOwn?: boolean }} [options] `isOwn`: nodes fill in fees or
 *   signatures, and so have different hashes
 * @returns {Step[]}
 */
export function send(name, transaction, { status = '0x1', isOwn = false } = {}) {
  const params = [{ ...('gasPrice' in transaction || isOwn ? {} : FEES), ...transaction }];
  const sent = { method: 'eth_sendTransaction', params, saves: name, isSend: true, isOwn };
  return [sent, receipt(name, status)];
}

/**
 * Sends a signed transaction, and reads its receipt.
 *
 * @param {string} name
 * @param {string} raw
 * @param {'0x0' | '0x1'} [status]
 * @returns {Step[]}
 */
export function sendRaw(name, raw, status = '0x1') {
  const sent = { method: 'eth_sendRawTransaction', params: [raw], saves: name, isSend: true };
  return [sent, receipt(name, status)];
}

/** @param {string} name @param {'0x0' | '0x1'} status @returns {Step} */
const receipt = (name, status) => ({ method: 'eth_getTransactionReceipt', params: [saved(name)], status });

/**
 * Returns parameters with the results of a node.
 *
 * @param {unknown} value
 * @param {ReadonlyMap<string, unknown>} results
 * @returns {unknown}
 */
export function withResults(value, results) {
  if (value instanceof Saved) {
    if (!results.has(value.name)) throw new RangeError(`no earlier step saves "${value.name}"`);
    return results.get(value.name);
  }
  if (Array.isArray(value)) return value.map((item) => withResults(item, results));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withResults(item, results)]));
}
