/** Requests of the attacks, some of them not as HTTP wants them. */

import { connect } from 'node:net';

const HOST = '127.0.0.1';

/** The body of one call. */
export function callOf(method, ...params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** The bytes of a request. `length` is what it says of its body, which may not be true. */
export function requestOf(body, length = body.length) {
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** Makes a call and gives its result; throws what the node answers else. */
export async function ask(port, method, ...params) {
  const response = await fetch(`http://${HOST}:${port}`, { method: 'POST', body: callOf(method, ...params) });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/**
 * Keeps a connection open: whenever it is lost, another one takes its place after a while.
 *
 * @param {number} port
 * @param {number} pauseMs how long after the loss
 * @param {(socket: import('node:net').Socket) => void} use gets each connection when it stands
 */
export function keepConnected(port, pauseMs, use) {
  const socket = connect(port, HOST);
  socket.on('error', () => undefined);
  socket.once('connect', () => use(socket));
  socket.once('close', () => setTimeout(() => keepConnected(port, pauseMs, use), pauseMs));
}

/** Sends the same request again and again on some connections, each when the one before is answered. */
export function repeat(port, connections, body) {
  for (let count = 0; count < connections; count += 1) repeatOn(port, body);
}

async function repeatOn(port, body) {
  for (;;) {
    try {
      const response = await fetch(`http://${HOST}:${port}`, { method: 'POST', body });
      await response.arrayBuffer();
    } catch {
      // Refused or cut off: the next attempt.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
