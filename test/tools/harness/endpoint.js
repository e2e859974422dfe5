/** JSON-RPC as a program without a library speaks it. */

import { request } from 'node:http';
import { requestOf, resultOf } from '../../rpc-client.js';

/** Time-out of a response. */
const PATIENCE_MS = 30_000;
/** Time-out and polling interval of a receipt. */
const RECEIPT_MS = 30_000;
const LOOK_MS = 25;

/** An address that JSON-RPC is spoken at. */
export class Endpoint {
  /**
   * @param {string} url
   * @param {Readonly<Record<string, string>>} [headers]
   */
  constructor(url, headers = {}) {
    this.url = url;
    this.headers = headers;
  }

  /**
   * Sends bytes by a method of HTTP.
   *
   * @param {'POST' | 'OPTIONS'} verb
   * @param {string} body
   * @param {Readonly<Record<string, string>>} [headers]
   * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }>}
   */
  send(verb, body, headers = {}) {
    return new Promise((resolve, reject) => {
      const options = {
        method: verb,
        headers: { 'content-type': 'application/json', ...this.headers, ...headers },
        timeout: PATIENCE_MS,
      };
      const sent = request(this.url, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /**
   * Calls a method and returns its result, or the error of the node.
   *
   * @param {string} method
   * @param {...unknown} params
   * @returns {Promise<{ result?: any, error?: { code: number, message: string, data?: unknown } }>}
   */
  async ask(method, ...params) {
    const body = requestOf(method, ...params);
    const { status, text } = await this.send('POST', body);
    if (status !== 200) throw new Error(`${body} gave HTTP ${status}: ${text}`);
    return JSON.parse(text);
  }

  /**
   * The result of a call.
   *
   * @param {string} method
   * @param {...unknown} params
   * @returns {Promise<any>}
   * @throws {import('../../rpc-client.js').CallError} for an error of the node
   */
  async call(method, ...params) {
    return resultOf(method, await this.ask(method, ...params));
  }

  /**
   * The receipt of a transaction, waited for.
   *
   * @param {string} hash
   * @returns {Promise<any>}
   */
  async receipt(hash) {
    const end = performance.now() + RECEIPT_MS;
    for (;;) {
      const receipt = await this.call('eth_getTransactionReceipt', hash);
      if (receipt !== null) return receipt;
      if (performance.now() > end) throw new Error(`${hash} has no receipt after ${RECEIPT_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /**
   * A number of a call, as `eth_getBalance` gives it.
   *
   * @param {string} method
   * @param {...unknown} params
   */
  async quantity(method, ...params) {
    return BigInt(await this.call(method, ...params));
  }
}
