/** Frames of a WebSocket (RFC 6455, 5.2), as a client sends them. */

const MASKED = 0x80;
/** Nothing is hidden from anybody here: a mask of zeros leaves the bytes as they are. */
const MASK = Buffer.alloc(4);
const LENGTH_16 = 126;

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
