/** A WebSocket client on a plain socket. */

import { connect } from 'node:net';
import { requestOf } from '../../test/rpc-client.js';
import { FrameReader, handshakeOf, pongFrame, textFrame } from '../harness/frames.js';

const HOST = '127.0.0.1';
const HEAD_END = Buffer.from('\r\n\r\n');
/** A buffer that all sockets share, since each read is processed before the next. */
const shared = Buffer.allocUnsafeSlow(256 * 1024);

/** @typedef {{ port: number, path: string, from: string }} Place Where the node is, and the client's own address. */

/**
 * Returns the upgrade request followed by subscriptions, without waiting for responses.
 *
 * @param {Place} place
 * @param {readonly (readonly unknown[])[]} subscriptions parameters of `eth_subscribe`
 */
function opening({ port, path }, subscriptions) {
  const frames = subscriptions.map((params) => textFrame(requestOf('eth_subscribe', ...params)));
  return Buffer.concat([Buffer.from(handshakeOf(`${HOST}:${port}`, path)), ...frames]);
}

/**
 * Subscribes and reads all messages.
 *
 * @param {Place} place
 * @param {readonly (readonly unknown[])[]} subscriptions
 * @param {(message: Buffer) => void} onMessage answers as well; bytes that are only valid until it returns
 * @param {(reason: string) => void} onClosed
 */
export function subscribeAndRead(place, subscriptions, onMessage, onClosed) {
  let isOpen = false;
  let reason = 'it was closed';
  /** @type {Buffer | undefined} */
  let head = Buffer.alloc(0);
  const reader = new FrameReader({
    onText: onMessage,
    onPing: (payload) => socket.write(pongFrame(payload)),
    onClose: (payload) => {
      reason = `it was closed: ${payload.readUInt16BE(0)} ${payload.subarray(2)}`;
    },
  });
  /** @param {Buffer} piece */
  const receive = (piece) => {
    if (head === undefined) {
      reader.read(piece);
      return;
    }
    head = Buffer.concat([head, piece]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) return;
    const rest = head.subarray(end + HEAD_END.length);
    isOpen = head.toString('latin1').startsWith('HTTP/1.1 101');
    if (!isOpen) reason = `it was refused: ${head.toString('latin1')}`;
    head = undefined;
    if (isOpen) reader.read(rest);
    else socket.destroy();
  };
  const socket = connect({
    port: place.port,
    host: HOST,
    localAddress: place.from,
    noDelay: true,
    onread: {
      buffer: shared,
      callback: (length) => {
        receive(shared.subarray(0, length));
        return true;
      },
    },
  });
  socket.on('error', (error) => {
    reason = error.message;
  });
  socket.on('close', () => onClosed(reason));
  socket.once('connect', () => socket.write(opening(place, subscriptions)));
}

/**
 * Subscribes and reads nothing, not even the upgrade response.
 *
 * @param {Place} place
 * @param {readonly (readonly unknown[])[]} subscriptions
 * @returns {Promise<{ localPort: number, end: () => void }>}
 */
export function subscribeAndSleep(place, subscriptions) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: place.port, host: HOST, localAddress: place.from });
    socket.pause();
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.write(opening(place, subscriptions));
      resolve({ localPort: socket.localPort ?? 0, end: () => socket.destroy() });
    });
  });
}
