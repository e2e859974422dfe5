/** Calls of a node on this machine. */

/** Hosts that the policy of the page allows. */
const HOSTS = ['127.0.0.1', 'localhost'];

/**
 * Checks the address of a node.
 *
 * @param {string} text
 * @returns {URL}
 * @throws {Error} for an address that the page may not call
 */
export function nodeAddress(text) {
  if (!URL.canParse(text)) throw new Error(`${JSON.stringify(text)} is no URL: write http://127.0.0.1:8545`);
  const url = new URL(text);
  if (url.protocol === 'http:' && HOSTS.includes(url.hostname)) return url;
  throw new Error(
    `this page calls nodes on this machine only, at http://127.0.0.1 or http://localhost, not ${url.origin}`,
  );
}

/**
 * Makes a request.
 *
 * @param {string} method
 * @param {string} parameters a JSON array; empty for none
 * @throws {Error} for parameters that are no JSON array
 */
export function requestOf(method, parameters) {
  if (method.trim() === '') throw new Error('the method is missing: write one, such as eth_blockNumber');
  return { jsonrpc: '2.0', id: 1, method: method.trim(), params: parametersOf(parameters) };
}

function parametersOf(text) {
  if (text.trim() === '') return [];
  let params;
  try {
    params = JSON.parse(text);
  } catch (error) {
    throw new Error(`the parameters are no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!Array.isArray(params)) throw new Error(`the parameters are no array: write [${text.trim()}]`);
  return params;
}

/**
 * Sends a request.
 *
 * @param {URL} url
 * @param {object} request
 * @returns {Promise<{ status: number, text: string, milliseconds: number }>} the text is indented if it is JSON
 * @throws {Error} if no response can be read
 */
export async function callNode(url, request) {
  const began = performance.now();
  let response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
  } catch {
    throw new Error(
      `no response of ${url.origin}: start a node there, and let this page reach it if the browser asks`,
    );
  }
  const text = await response.text();
  return { status: response.status, text: indented(text), milliseconds: performance.now() - began };
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
