/** Frames of a WebSocket (RFC 6455, 5.2), as a client of a server that divides no message. */

const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const FINAL = 0x80;
const MASKED = 0x80;
/** Nothing is hidden from anybody here: a mask of zeros leaves the bytes as they are. */
const MASK = Buffer.alloc(4);
const LENGTH_16 = 126;
const LENGTH_64 = 127;

const NOTHING = Buffer.alloc(0);

/**
 * The request for a WebSocket.
 *
 * @param {string} host
 * @param {string} path
 * @param {readonly string[]} fields further ones
 */
export function handshakeOf(host, path, fields = []) {
  return [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...fields,
    '\r\n',
  ].join('\r\n');
}

/**
 * Makes a client's frame.
 *
 * @param {number} first its first byte: the opcode, and whether the message ends with it
 * @param {Buffer} [payload] of less than 64 KiB
 */
export function frameOf(first, payload = NOTHING) {
  const isShort = payload.length < LENGTH_16;
  const head = Buffer.alloc(isShort ? 2 : 4);
  head[0] = first;
  head[1] = MASKED | (isShort ? payload.length : LENGTH_16);
  if (!isShort) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, MASK, payload]);
}

/** @param {string} text */
export function textFrame(text) {
  return frameOf(FINAL | TEXT, Buffer.from(text));
}

/** @param {Buffer} payload of the ping */
export function pongFrame(payload) {
  return frameOf(FINAL | PONG, payload);
}

/**
 * @typedef {object} FrameHandlers
 * @property {(message: Buffer) => void} onText gets bytes that are only valid until it returns
 * @property {(payload: Buffer) => void} onPing
 * @property {(payload: Buffer) => void} onClose
 */

/** Splits a socket's bytes into frames, copying only incomplete ones. */
export class FrameReader {
  /** @type {Buffer | undefined} */
  #rest;
  #handlers;

  /** @param {FrameHandlers} handlers */
  constructor(handlers) {
    this.#handlers = handlers;
  }

  /** @param {Buffer} piece which may be used for something else afterwards */
  read(piece) {
    const bytes = this.#rest === undefined ? piece : Buffer.concat([this.#rest, piece]);
    let position = 0;
    for (;;) {
      const end = this.#readFrame(bytes, position);
      if (end === undefined) break;
      position = end;
    }
    this.#rest = position === bytes.length ? undefined : Buffer.from(bytes.subarray(position));
  }

  /**
   * Handles a frame and gives where it ends; undefined when it is not all there.
   *
   * @param {Buffer} bytes
   * @param {number} start
   */
  #readFrame(bytes, start) {
    if (bytes.length < start + 2) return undefined;
    const opcode = (bytes[start] ?? 0) & 0xf;
    const short = bytes[start + 1] ?? 0;
    const begin = start + (short === LENGTH_64 ? 10 : short === LENGTH_16 ? 4 : 2);
    if (bytes.length < begin) return undefined;
    const length =
      short === LENGTH_64
        ? Number(bytes.readBigUInt64BE(start + 2))
        : short === LENGTH_16
          ? bytes.readUInt16BE(start + 2)
          : short;
    const end = begin + length;
    if (bytes.length < end) return undefined;
    const payload = bytes.subarray(begin, end);
    if (opcode === TEXT) this.#handlers.onText(payload);
    else if (opcode === PING) this.#handlers.onPing(Buffer.from(payload));
    else if (opcode === CLOSE) this.#handlers.onClose(payload);
    return end;
  }
}
