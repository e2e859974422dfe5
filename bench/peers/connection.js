/** A client of its own for calls one after the other: as little of it as possible shall be in what is measured. */

import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '0\r\n\r\n';

/** A connection over HTTP/1.1 that stays open; one request is under way at a time. */
export class Connection {
  #socket;
  #port;
  #waiting;
  #parts = [];
  #received = 0;
  /** Bytes of the whole answer; undefined before its head is there, infinite when it comes in chunks. */
  #expected;
  #bodyStart = 0;

  constructor(socket, port) {
    this.#socket = socket;
    this.#port = port;
    socket.on('data', (part) => this.#receive(part));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error(`the node at port ${port} closed the connection`)));
  }

  /** @throws what the system says when nothing listens */
  static async open(port) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket, port);
  }

  close() {
    this.#socket.destroy();
  }

  /** Sends the text of a request and gives the text of its answer. */
  send(body) {
    const head =
      `POST / HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(head + body);
    });
  }

  /** The result of a call. @throws when the node answers with an error */
  async call(method, ...params) {
    const answer = await this.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const { result, error } = JSON.parse(answer);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  #receive(part) {
    this.#parts.push(part);
    this.#received += part.length;
    if (this.#expected === undefined) this.#readHead();
    if (this.#expected === undefined) return;
    const isWhole = this.#expected === Infinity ? this.#endsInLastChunk() : this.#received >= this.#expected;
    if (!isWhole) return;
    const body = Buffer.concat(this.#parts).subarray(this.#bodyStart);
    const text = this.#expected === Infinity ? joinChunks(body) : body.toString('utf8');
    const { resolve } = this.#waiting;
    this.#parts = [];
    this.#received = 0;
    this.#expected = undefined;
    this.#waiting = undefined;
    resolve(text);
  }

  #readHead() {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end);
    this.#bodyStart = end + HEAD_END.length;
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
    this.#expected = length === undefined ? Infinity : this.#bodyStart + Number(length);
  }

  /** JSON has no line ends of its own, so that this can be nothing but the end. */
  #endsInLastChunk() {
    const last = Buffer.concat(this.#parts.slice(-LAST_CHUNK.length)).subarray(-LAST_CHUNK.length);
    return last.toString('latin1') === LAST_CHUNK;
  }

  #fail(error) {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

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

/** Opens a connection for an action, and closes it. */
export async function withConnection(port, action) {
  const connection = await Connection.open(port);
  try {
    return await action(connection);
  } finally {
    connection.close();
  }
}
