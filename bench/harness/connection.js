/** A minimal client for consecutive calls, which adds little to the measured time. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { requestOf, resultOf } from '../../test/rpc-client.js';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '0\r\n\r\n';

/** A connection over HTTP/1.1 that stays open; one request is under way at a time. */
export class Connection {
  #socket;
  #port;
  #path;
  /** @type {{ resolve: (text: string) => void, reject: (error: Error) => void } | undefined} */
  #waiting;
  /** @type {Buffer[]} */
  #parts = [];
  #received = 0;
  /** @type {number | undefined} Bytes of the whole response; undefined before its head, infinite when it has chunks. */
  #expected;
  #bodyStart = 0;

  /**
   * @param {import('node:net').Socket} socket
   * @param {number} port
   * @param {string} path
   */
  constructor(socket, port, path) {
    this.#socket = socket;
    this.#port = port;
    this.#path = path;
    socket.on('data', (part) => this.#receive(part));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error(`the node at port ${port} closed the connection`)));
  }

  /**
   * @param {number} port
   * @param {string} [path] that requests are sent to
   * @throws {Error} what the system says when nothing listens
   */
  static async open(port, path = '/') {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket, port, path);
  }

  close() {
    this.#socket.destroy();
  }

  /**
   * Sends the text of a request and gives the text of its response.
   *
   * @param {string} body
   * @returns {Promise<string>}
   */
  send(body) {
    const head =
      `POST ${this.#path} HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(head + body);
    });
  }

  /**
   * The result of a call.
   *
   * @param {string} method
   * @param {...unknown} params
   * @throws {Error} with the message of the node's error
   */
  async call(method, ...params) {
    return resultOf(method, JSON.parse(await this.send(requestOf(method, ...params))));
  }

  /** @param {Buffer} part */
  #receive(part) {
    this.#parts.push(part);
    this.#received += part.length;
    if (this.#expected === undefined) this.#readHead();
    if (this.#expected === undefined) return;
    const isWhole = this.#expected === Infinity ? this.#endsInLastChunk() : this.#received >= this.#expected;
    if (!isWhole) return;
    const body = Buffer.concat(this.#parts).subarray(this.#bodyStart);
    const text = this.#expected === Infinity ? joinChunks(body) : body.toString('utf8');
    const waiting = this.#waiting;
    this.#parts = [];
    this.#received = 0;
    this.#expected = undefined;
    this.#waiting = undefined;
    waiting?.resolve(text);
  }

  #readHead() {
    const [first = Buffer.alloc(0), ...rest] = this.#parts;
    const bytes = rest.length === 0 ? first : Buffer.concat(this.#parts);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end);
    this.#bodyStart = end + HEAD_END.length;
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
    this.#expected = length === undefined ? Infinity : this.#bodyStart + Number(length);
  }

  /** JSON contains no line ends, so this is the end. */
  #endsInLastChunk() {
    const last = Buffer.concat(this.#parts.slice(-LAST_CHUNK.length)).subarray(-LAST_CHUNK.length);
    return last.toString('latin1') === LAST_CHUNK;
  }

  /** @param {Error} error */
  #fail(error) {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

/** @param {Buffer} body */
function joinChunks(body) {
  const parts = [];
  let position = 0;
  while (true) {
    const lineEnd = body.indexOf('\r\n', position);
    const length = Number.parseInt(body.toString('latin1', position, lineEnd), 16);
    if (length === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + length));
    position = lineEnd + 2 + length + 2;
  }
}

/**
 * Opens a connection for an action, and closes it.
 *
 * @template T
 * @param {number} port
 * @param {(connection: Connection) => Promise<T>} action
 */
export async function withConnection(port, action) {
  const connection = await Connection.open(port);
  try {
    return await action(connection);
  } finally {
    connection.close();
  }
}
