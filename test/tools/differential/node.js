/** A node that is asked by JSON-RPC. */
export class RpcNode {
  #url;
  #id = 0;
  name;

  /**
   * @param {string} name
   * @param {string} url
   */
  constructor(name, url) {
    this.name = name;
    this.#url = url;
  }

  /**
   * The result, or the error as an object with a code and a message.
   *
   * @param {string} method
   * @param {unknown[]} params
   * @returns {Promise<{ result?: any, error?: { code: number, message: string } }>}
   */
  async ask(method, ...params) {
    this.#id += 1;
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }),
    });
    return /** @type {any} */ (await response.json());
  }

  /**
   * The result of what must succeed.
   *
   * @param {string} method
   * @param {unknown[]} params
   */
  async call(method, ...params) {
    const { result, error } = await this.ask(method, ...params);
    if (error !== undefined) throw new Error(`${this.name}: ${method}: ${error.message}`);
    return result;
  }
}
