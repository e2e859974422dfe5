/** Requests that are no calls, and connections not used as they are meant, to keep a node from serving others. */

import { connect } from 'node:net';
import { requestOf } from '../../test/rpc-client.js';
import { handshakeOf } from '../harness/frames.js';
import { connectMany, flood, httpRequestOf, keepConnected } from './client.js';
import { slowCall } from './programs.js';

const TEXT = 'x'.repeat(64 * 1024);

/**
 * @typedef {import('./client.js').Target} Target
 * @typedef {import('node:net').Socket} Socket
 */

/**
 * A request without a body.
 *
 * @param {string} line its method and target
 * @param {readonly string[]} fields
 */
function bare(line, fields = []) {
  return `${[`${line} HTTP/1.1`, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`;
}

/**
 * Sends the same requests on some connections, as fast as they are taken.
 *
 * @param {Target} target
 * @param {number} connections
 * @param {string} request
 */
function floodRequests(target, connections, request) {
  const requests = request.repeat(Math.ceil(TEXT.length / request.length));
  for (let count = 0; count < connections; count += 1)
    keepConnected(target, 10, (socket) => flood(socket, requests));
}

/**
 * Sends requests on some connections, each when the previous response has begun.
 *
 * @param {Target} target
 * @param {number} connections
 * @param {string} request
 */
function askAgain(target, connections, request) {
  for (let count = 0; count < connections; count += 1) {
    keepConnected(target, 10, (socket) => {
      socket.on('data', () => socket.write(request));
      socket.write(request);
    });
  }
}

/**
 * Sends requests on many connections without reading the responses.
 *
 * @param {Target} target
 * @param {number} connections
 * @param {string} requests
 */
function askAndSleep(target, connections, requests) {
  connectMany(target, connections, (socket) => {
    socket.pause();
    socket.write(requests);
  });
}

/**
 * Opens a connection, does something with it, and opens the next one at once, some at a time.
 *
 * @param {Target} target
 * @param {number} atATime
 * @param {(socket: Socket) => void} leave
 */
function comeAndGo(target, atATime, leave) {
  const come = () => {
    const socket = connect({ port: target.port, host: '127.0.0.1', localAddress: target.from });
    socket.on('error', () => undefined);
    socket.once('connect', () => leave(socket)).once('close', () => setImmediate(come));
  };
  for (let count = 0; count < atATime; count += 1) come();
}

/**
 * Opens connections at a steady rate, sends the beginning of a request on each, and resets it.
 *
 * @param {Target} target
 * @param {number} perSecond
 */
export function connectAndReset({ port, from }, perSecond) {
  const ticksPerSecond = 50;
  setInterval(() => {
    for (let count = 0; count < perSecond / ticksPerSecond; count += 1) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from });
      socket.on('error', () => undefined);
      socket.once('connect', () => {
        socket.write(bare('GET /health').slice(0, 20));
        socket.resetAndDestroy();
      });
    }
  }, 1_000 / ticksPerSecond);
}

/** @type {import('./attacks.js').Attacks} */
export const HTTP_ATTACKS = {
  'what comes behind a refused body, 200 connections': (target) =>
    connectMany(target, 200, (socket) => flood(socket, TEXT, httpRequestOf('', 1_000_000_000_000))),
  'pipelined OPTIONS, 64 connections': (target) => floodRequests(target, 64, bare('OPTIONS /')),
  'pipelined TRACE, 64 connections': (target) => floodRequests(target, 64, bare('TRACE /')),
  'CONNECT, 64 connections': (target) => floodRequests(target, 64, bare('CONNECT localhost:1')),
  'Expect: 100-continue, 64 connections': (target) =>
    floodRequests(target, 64, `${bare('POST /', ['Expect: 100-continue', 'Content-Length: 1'])}1`),
  'Expect: 100-continue without a body, 500 connections': (target) =>
    askAndSleep(target, 500, bare('POST /', ['Expect: 100-continue', 'Content-Length: 5000000'])),
  'upgrades to h2c, 64 connections': (target) =>
    floodRequests(target, 64, bare('GET /', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'])),
  'the beginning of HTTP/2, 64 connections': (target) =>
    floodRequests(target, 64, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'heads of 15 KiB, 64 connections': (target) =>
    floodRequests(
      target,
      64,
      bare(
        'GET /',
        Array.from({ length: 900 }, (_, index) => `X-${index}: x`),
      ),
    ),
  'connections that come and go, 256 at a time': (target) =>
    comeAndGo(target, 256, (socket) => socket.destroy()),
  'connections that are reset, 256 at a time': (target) =>
    comeAndGo(target, 256, (socket) => {
      socket.write(bare('GET /health').slice(0, 20));
      socket.resetAndDestroy();
    }),
  'half-closed connections that ask for slow calls, 64 at a time': (target) =>
    comeAndGo(target, 64, (socket) =>
      socket.resume().end(httpRequestOf(requestOf('eth_call', { data: slowCall() }))),
    ),
  'half-closed connections in the middle of a request, 256 at a time': (target) =>
    comeAndGo(target, 256, (socket) => socket.resume().end(bare('POST /', ['Content-Length: 10']))),
  'handshakes of WebSockets, 64 at a time': (target) =>
    comeAndGo(target, 64, (socket) => {
      socket.write(handshakeOf('localhost', '/'));
      socket.once('data', () => socket.destroy());
    }),
  'the metrics, 64 connections': (target) => askAgain(target, 64, bare('GET /metrics')),
  'pipelined requests for the metrics that are not read, 64 connections': (target) =>
    askAndSleep(target, 64, bare('GET /metrics').repeat(100)),
  'the health, 64 connections': (target) => askAgain(target, 64, bare('GET /health')),
  'pipelined requests for the health, 64 connections': (target) =>
    floodRequests(target, 64, bare('GET /health')),
  'the description, 64 connections': (target) => askAgain(target, 64, bare('GET /openrpc.json')),
  'pipelined requests for the description, 64 connections': (target) =>
    floodRequests(target, 64, bare('GET /openrpc.json')),
  '2,000 slow readers of the description': (target) =>
    askAndSleep(target, 2_000, bare('GET /openrpc.json').repeat(20)),
  '2,000 slow readers of the page': async (target) => {
    const file = await largestFileOf(target);
    askAndSleep(target, 2_000, bare(`GET ${file}`).repeat(20));
  },
  'the page, 64 connections': async (target) => {
    const file = await largestFileOf(target);
    askAgain(target, 64, bare(`GET ${file}`));
  },
  'blocks, 64 connections': (target) => askAgain(target, 64, bare('GET /blocks?from=0')),
};

/**
 * The path of the largest script of the explorer's page.
 *
 * @param {Target} target
 */
async function largestFileOf({ port }) {
  const url = `http://127.0.0.1:${port}`;
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const paths = [...page.matchAll(/src="\.(\/[^"]+\.js)"/g)].map(([, path]) => path ?? '/');
  return paths[0] ?? '/';
}
