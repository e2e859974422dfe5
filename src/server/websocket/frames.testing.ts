import { randomBytes } from 'node:crypto';

const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** Returns a frame of a client (RFC 6455, 5.2), with a separate mask unless it is empty. */
export function frame(first: number, text = ''): Buffer {
  const payload = Buffer.from(text);
  const mask = payload.length === 0 ? Buffer.alloc(4) : randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([first]), lengthOf(payload.length), mask, masked]);
}

function lengthOf(length: number): Buffer {
  if (length < LENGTH_16) return Buffer.from([MASKED | length]);
  if (length <= 0xffff) return Buffer.from([MASKED | LENGTH_16, length >> 8, length & 0xff]);
  const bytes = Buffer.alloc(9, MASKED | LENGTH_64);
  bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}

/** A request for a WebSocket as bytes. */
export function handshake(target: string, ...headers: readonly string[]): string {
  return [
    `GET ${target} HTTP/1.1`,
    ...(headers.some((header) => header.startsWith('Host:')) ? [] : ['Host: localhost']),
    ...['Upgrade: websocket', 'Connection: Upgrade'],
    ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
    ...headers,
    '\r\n',
  ].join('\r\n');
}
