/** JSON-RPC over HTTP, as tests, benchmarks and scripts speak it. */

/** Time-out of a response. */
const PATIENCE_MS = 60_000;

/**
 * The error object of a response.
 *
 * @typedef {{ readonly code: number, readonly message: string, readonly data?: unknown }} ResponseError
 */

/** An error that a node responded with. */
export class CallError extends Error {
  /**
   * @param {string} method
   * @param {ResponseError} error
   */
  constructor(method, { code, message, data }) {
    super(`${method}: ${code} ${message}${data === undefined ? '' : ` ${JSON.stringify(data)}`}`);
    this.code = code;
  }
}

/**
 * Writes a request.
 *
 * @param {string} method
 * @param {...unknown} params
 */
export function requestOf(method, ...params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/**
 * Returns the result of a response.
 *
 * @template [T=any]
 * @param {string} method that was called
 * @param {{ readonly result?: unknown, readonly error?: ResponseError }} response
 * @returns {T}
 * @throws {CallError} for an error of the node
 */
export function resultOf(method, { result, error }) {
  if (error !== undefined) throw new CallError(method, error);
  return /** @type {T} */ (result);
}

/**
 * Sends a body, whatever comes back.
 *
 * @param {string} url
 * @param {string | Uint8Array} body
 * @param {{ headers?: Readonly<Record<string, string>>, signal?: AbortSignal }} [options]
 * @returns {Promise<{ readonly status: number, readonly text: string }>}
 */
export async function send(url, body, { headers, signal } = {}) {
  const all = { 'content-type': 'application/json', ...headers };
  const init = /** @type {RequestInit} */ ({ method: 'POST', headers: all, body, signal });
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
}

/**
 * Sends a request, or a batch, and returns the response.
 *
 * @param {string} url
 * @param {string} body
 * @returns {Promise<any>}
 * @throws {Error} for a status other than 200
 */
export async function post(url, body) {
  const { status, text } = await send(url, body, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (status !== 200) throw new Error(`HTTP ${status}: ${text}`);
  return JSON.parse(text);
}

/**
 * Calls a method and returns the whole response, an error included.
 *
 * @param {string} url
 * @param {string} method
 * @param {...unknown} params
 * @returns {Promise<{ readonly result?: any, readonly error?: ResponseError }>}
 */
export function request(url, method, ...params) {
  return post(url, requestOf(method, ...params));
}

/**
 * Calls a method and returns its result.
 *
 * @param {string} url
 * @param {string} method
 * @param {...unknown} params
 * @returns {Promise<any>}
 * @throws {CallError} for an error of the node
 */
export async function call(url, method, ...params) {
  return resultOf(method, await request(url, method, ...params));
}
