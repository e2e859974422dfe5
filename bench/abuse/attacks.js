/** Attacks that try to keep a node from serving other clients. Each runs until its process is killed. */

import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { call, requestOf } from '../../test/rpc-client.js';
import { batchOf, connectMany, flood, httpRequestOf, keepConnected, repeat } from './client.js';
import { HTTP_ATTACKS } from './http-attacks.js';
import { COMMON_TOPIC, DISJOINT_TOPICS, slowCall } from './programs.js';
import { WEB_SOCKET_ATTACKS } from './web-socket-attacks.js';

const MEBIBYTE = 1024 * 1024;
const BODY_BYTES = 5 * MEBIBYTE;
const BATCH_REQUESTS = 1_000;

/** Gas of a transaction, of which a block takes about thirty: the most that one operation may offer. */
const HEAVY_GAS = '0xffffff';

const heavyCall = () => requestOf('eth_call', { data: slowCall() });
const description = requestOf('rpc_discover');
const largeResponse = requestOf('eth_getLogs', { fromBlock: '0x2', toBlock: '0x2', topics: [COMMON_TOPIC] });

/**
 * @typedef {import('./client.js').Target} Target
 * @typedef {import('node:net').Socket} Socket
 * @typedef {Readonly<Record<string, (target: Target) => void>>} Attacks by name
 */

/**
 * Sends something piece by piece, one each second.
 *
 * @param {Socket} socket
 * @param {readonly string[]} pieces
 */
function dribble(socket, pieces) {
  let next = 0;
  const timer = setInterval(() => {
    socket.write(pieces[next] ?? 'x');
    next += 1;
  }, 1_000);
  socket.once('close', () => clearInterval(timer));
}

/**
 * Sends as many requests as may wait, and a new one for each response.
 *
 * @param {Socket} socket
 * @param {() => string} request
 * @param {number} ahead
 */
function pipeline(socket, request, ahead) {
  const write = (count) => socket.write(Array.from({ length: count }, request).join(''));
  write(ahead);
  socket.on('data', (chunk) => {
    const responses = chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
    if (responses > 0) write(responses);
  });
}

/** @type {Attacks} Attacks on a test node that makes a block for each transaction, in the order of the table. */
export const CLIENT_ATTACKS = {
  '2,000 slow senders of headers': (target) =>
    connectMany(target, 2_000, (socket) =>
      dribble(socket, 'POST / HTTP/1.1\r\nHost: localhost\r\nX: '.split('')),
    ),
  '2,000 slow senders of 5 MiB': (target) =>
    connectMany(target, 2_000, (socket) => {
      socket.write(httpRequestOf('x'.repeat(256 * 1024), BODY_BYTES));
      dribble(socket, []);
    }),
  '10,000 idle connections': (target) =>
    connectMany(target, 10_000, (socket) => {
      socket.resume();
    }),
  'batches of 450 descriptions, 300 connections': (target) =>
    repeat(
      target,
      300,
      batchOf(450, () => description),
    ),
  'batches of 1,000 descriptions, 50 connections': (target) =>
    repeat(
      target,
      50,
      batchOf(BATCH_REQUESTS, () => description),
    ),
  'slowest eth_call, 32 connections': (target) => repeat(target, 32, heavyCall),
  'slowest eth_call, 32 at a time, each on a new connection': (target) =>
    repeat(target, 32, heavyCall, false),
  'batches of 1,000 slowest eth_call, 8 connections': (target) =>
    repeat(target, 8, () => batchOf(BATCH_REQUESTS, heavyCall)),
  'such batches of 5 MiB, 100 connections': (target) => {
    // Nearly as many values as a body may have, and as many bytes.
    const empties = '{},'.repeat(90);
    const bytes =
      Math.floor(BODY_BYTES / BATCH_REQUESTS) - `${heavyCall()},"padding":[${empties}""]},`.length;
    const padding = `,"padding":[${empties}"${'x'.repeat(bytes)}"]}`;
    repeat(target, 100, () => batchOf(BATCH_REQUESTS, () => heavyCall().slice(0, -1) + padding));
  },
  'slowest eth_estimateGas, 32 connections': (target) =>
    repeat(target, 32, () => requestOf('eth_estimateGas', { data: slowCall() })),
  'pipelined slowest eth_call, 8 connections': (target) => {
    for (let count = 0; count < 8; count += 1) {
      keepConnected(target, 10, (socket) => pipeline(socket, () => httpRequestOf(heavyCall()), 50));
    }
  },
  'longest log query, 16 connections': (target) =>
    repeat(target, 16, requestOf('eth_getLogs', { fromBlock: 'earliest', topics: DISJOINT_TOPICS })),
  'bodies of 5 MiB, 32 connections': (target) => {
    const numbers = `[${'0,'.repeat(BODY_BYTES / 2 - 100)}0]`;
    repeat(target, 32, `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${numbers}}`);
  },
  'bodies of 60 MiB, 16 connections': (target) => repeat(target, 16, ' '.repeat(60 * MEBIBYTE)),
  'bodies in chunks of one byte, 16 connections': (target) => {
    // Six bytes each; as many of them as one read of the node takes in.
    const chunks = '1\r\nx\r\n'.repeat(10_000);
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (let count = 0; count < 16; count += 1)
      keepConnected(target, 10, (socket) => flood(socket, chunks, head));
  },
  'pipelined tiny requests, 16 connections': (target) => {
    const requests = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000);
    for (let count = 0; count < 16; count += 1)
      keepConnected(target, 10, (socket) => flood(socket, requests));
  },
  '500 slow readers of large responses': (target) =>
    connectMany(target, 500, (socket) => {
      socket.pause();
      socket.write(httpRequestOf(largeResponse));
    }),
  'pipelined descriptions that are not read, 64 connections': (target) => {
    const request = httpRequestOf(description);
    connectMany(target, 64, (socket) => {
      socket.pause();
      const timer = setInterval(() => socket.write(request.repeat(50)), 20);
      socket.once('close', () => clearInterval(timer));
    });
  },
  'batches of 1,000 filters, 8 connections': (target) =>
    repeat(
      target,
      8,
      batchOf(BATCH_REQUESTS, () => requestOf('eth_newFilter', { topics: DISJOINT_TOPICS })),
    ),
  'batches of 1,000 registration tasks, 8 connections': (target) =>
    repeat(
      target,
      8,
      batchOf(BATCH_REQUESTS, () => requestOf('ledger_requestRegistrationTask')),
    ),
  ...HTTP_ATTACKS,
  ...WEB_SOCKET_ATTACKS,
};

/** @type {Attacks} Attacks on a test node that makes a block every three seconds. */
export const BLOCK_ATTACKS = {
  'transactions of nothing but ecrecover, 8 connections': async (target) => {
    const [from] = await call(`http://127.0.0.1:${target.port}`, 'eth_accounts');
    repeat(target, 8, () => requestOf('eth_sendTransaction', { from, data: slowCall(), gas: HEAVY_GAS }));
  },
};

/** @type {Attacks} What a node does to those that follow it: each listens at the port of the target. */
export const FOLLOWED_ATTACKS = {
  '250 MiB of blocks of one byte': ({ port }) => {
    const plain = Buffer.alloc(250 * MEBIBYTE, Buffer.from([1, 0, 0, 0, 0]));
    const compressed = gzipSync(plain);
    serveBlocks(port, 1, (request, response) => {
      const takesGzip = /gzip/.test(String(request.headers['accept-encoding']));
      if (takesGzip) response.setHeader('content-encoding', 'gzip');
      response.end(takesGzip ? compressed : plain);
    });
  },
  'a head far away': ({ port }) =>
    serveBlocks(port, 4_000_000_000, (_, response) => response.end(Buffer.from([1, 0, 0, 0, 7]))),
  'a response without an end': ({ port }) =>
    serveBlocks(port, 1, (_, response) => {
      response.write(Buffer.from([255, 255, 255, 0]));
      const timer = setInterval(() => response.write(Buffer.alloc(1)), 100);
      response.once('close', () => clearInterval(timer));
    }),
};

/**
 * Responds to every request for blocks in the name of a node with some head.
 *
 * @param {number} port
 * @param {number} head
 * @param {import('node:http').RequestListener} respond
 */
function serveBlocks(port, head, respond) {
  createServer((request, response) => {
    response.setHeader('ledgerd-head', head);
    respond(request, response);
  }).listen(port, '127.0.0.1');
}
