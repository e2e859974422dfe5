/** Requests of the attacks, some of them not as HTTP wants them. */

import { Agent, request } from 'node:http';
import { connect } from 'node:net';

const HOST = '127.0.0.1';

/**
 * The body of a batch of so many calls.
 *
 * @param {number} count
 * @param {() => string} call
 */
export function batchOf(count, call) {
  return `[${Array.from({ length: count }, call).join(',')}]`;
}

/**
 * Returns the bytes of a request.
 *
 * @param {string} body
 * @param {number} [length] what it says of its body, which may not be true
 */
export function httpRequestOf(body, length = body.length) {
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** @typedef {{ port: number, from: string }} Target The node under attack, and the address that attackers have. */

/**
 * Keeps a connection open: a lost one is replaced after a pause.
 *
 * @param {Target} target
 * @param {number} pauseMs how long after the loss
 * @param {(socket: import('node:net').Socket) => void} use gets each connection when it stands
 */
export function keepConnected(target, pauseMs, use) {
  const socket = connect({ port: target.port, host: HOST, localAddress: target.from });
  socket.on('error', () => undefined);
  socket.once('connect', () => use(socket));
  socket.once('close', () => setTimeout(() => keepConnected(target, pauseMs, use), pauseMs));
}

/**
 * Sends requests of a kind again and again on some connections, each when the one before has its response.
 *
 * @param {Target} target
 * @param {number} connections
 * @param {string | (() => string)} body
 * @param {boolean} keepAlive false for a new connection with each request
 */
export function repeat(target, connections, body, keepAlive = true) {
  const agent = new Agent({ keepAlive, localAddress: target.from });
  for (let count = 0; count < connections; count += 1) repeatOn(target, body, agent);
}

/**
 * @param {Target} target
 * @param {string | (() => string)} body
 * @param {Agent} agent
 */
async function repeatOn({ port }, body, agent) {
  for (;;) {
    const text = typeof body === 'string' ? body : body();
    // Refused or cut off: the next attempt.
    if (!(await post(port, text, agent))) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Sends a request and reads its response; resolves to false if there was none.
 *
 * @param {number} port
 * @param {string} body
 * @param {Agent} agent
 * @returns {Promise<boolean>}
 */
function post(port, body, agent) {
  return new Promise((resolve) => {
    const headers = { 'content-length': Buffer.byteLength(body) };
    const asking = request({ agent, host: HOST, port, method: 'POST', headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(true));
      response.once('error', () => resolve(false));
    });
    asking.once('error', () => resolve(false));
    asking.end(body);
  });
}

/**
 * Opens many connections, a few hundred each second.
 *
 * @param {Target} target
 * @param {number} connections
 * @param {(socket: import('node:net').Socket) => void} use
 */
export function connectMany(target, connections, use) {
  for (let count = 0; count < connections; count += 1) {
    setTimeout(() => keepConnected(target, 1_000, use), count / 2);
  }
}

/**
 * Sends the same text repeatedly, as fast as possible, and discards the responses.
 *
 * @param {import('node:net').Socket} socket
 * @param {string | Buffer} text
 * @param {string | Buffer} first what is sent once before
 */
export function flood(socket, text, first = '') {
  const write = () => {
    while (socket.write(text));
  };
  socket.write(first);
  socket.on('drain', write).resume();
  write();
}
