/** Calls over HTTP. */

/** How long a response is waited for. */
const PATIENCE_MS = 60_000;

/**
 * The text of a request.
 *
 * @param {string} method
 * @param {...unknown} params
 */
export function requestOf(method, ...params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/**
 * The result of a response.
 *
 * @param {string} method that was called
 * @param {any} response
 * @throws {Error} with the message of the error
 */
export function resultOf(method, { result, error }) {
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/**
 * Sends the text of a request and gives the response.
 *
 * @param {string} url
 * @param {string} body
 * @returns {Promise<any>}
 * @throws {Error} for a status other than 200
 */
export async function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  return response.json();
}

/**
 * The result of a call.
 *
 * @param {string} url
 * @param {string} method
 * @param {...unknown} params
 * @throws {Error} with the message of the node's error
 */
export async function call(url, method, ...params) {
  return resultOf(method, await post(url, requestOf(method, ...params)));
}
