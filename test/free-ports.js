/** Free ports for the servers of tests, benchmarks and scripts. */

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** The lowest port that is given here. */
const LOWEST = 10_000;
/** Linux's range of ports that it assigns automatically, and its default start. */
const GIVEN_OUT = '/proc/sys/net/ipv4/ip_local_port_range';
const GIVEN_OUT_FROM = 32_768;

/**
 * Finds ports of the loopback address that nobody listens to, for a program that has to be told one, or has to come
 * back at the same one. They are below those that the system gives out by itself, so that in the meantime none of them
 * goes to a connection or a server of another test that runs beside this one.
 *
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) {
    const port = LOWEST + Math.floor(Math.random() * (givenOutFrom() - LOWEST));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

/**
 * Finds one of them.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  const [port = 0] = await freePorts(1);
  return port;
}

function givenOutFrom() {
  const from = existsSync(GIVEN_OUT) ? Number.parseInt(readFileSync(GIVEN_OUT, 'utf8'), 10) : GIVEN_OUT_FROM;
  // Where the system gives out nearly all of them, any is as good.
  return from > 2 * LOWEST ? from : GIVEN_OUT_FROM;
}

async function isFree(/** @type {number} */ port) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
