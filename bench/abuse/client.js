/** Requests of the attacks, some of them not as HTTP wants them. */

import { Agent, request } from 'node:http';
import { connect } from 'node:net';

const HOST = '127.0.0.1';
/** How long a client waits that asks once. */
const PATIENCE_MS = 60_000;

/** The body of one call. */
export function callOf(method, ...params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** The body of a batch of so many equal calls. */
export function batchOf(count, call) {
  return `[${new Array(count).fill(call).join(',')}]`;
}

/** The bytes of a request. `length` is what it says of its body, which may not be true. */
export function requestOf(body, length = body.length) {
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** Makes a call and gives its result; throws what the node answers else. */
export async function ask(port, method, ...params) {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const init = { method: 'POST', body: callOf(method, ...params), signal };
  const response = await fetch(`http://${HOST}:${port}`, init);
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** @typedef {{ port: number, from: string }} Target The node under attack, and the address that attackers have. */

/**
 * Keeps a connection open: whenever it is lost, another one takes its place after a while.
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

/** Sends the same request again and again on some connections, each when the one before is answered. */
export function repeat(target, connections, body) {
  const agent = new Agent({ keepAlive: true, localAddress: target.from });
  for (let count = 0; count < connections; count += 1) repeatOn(target, body, agent);
}

/** The same, with a new connection for each request. */
export function repeatOnNewConnections(target, connections, body) {
  const agent = new Agent({ keepAlive: false, localAddress: target.from });
  for (let count = 0; count < connections; count += 1) repeatOn(target, body, agent);
}

async function repeatOn({ port }, body, agent) {
  for (;;) {
    // Refused or cut off: the next attempt.
    if (!(await post(port, body, agent))) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a request got an answer, which is read to its end. */
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
