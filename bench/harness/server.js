/** Starts JSON-RPC servers in separate processes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../test/free-ports.js';
import { withConnection } from './connection.js';
import { memoryOf, processorSeconds } from './processor.js';

/** Interval of checking for a server's response. */
const LOOK_MS = 4;
const START_MS = 60_000;
/** Time-out of stopping a server. */
const STOP_MS = 10_000;
/** Interval of measuring a server's memory. */
const MEMORY_MS = 100;
/** Number of stored last lines of standard error. */
const KEPT_LINES = 20;

/**
 * Servers that run. They end with this process, also when it fails.
 *
 * @type {Set<import('node:child_process').ChildProcess>}
 */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * @typedef {object} ServerOptions
 * @property {string} [folder] it works in
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [mostMemory] MiB from which on it is ended
 */

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {string} url
 * @property {number} processId
 * @property {number} startMs from the start of the process to its first response
 * @property {number} startProcessorMs what of that the process used itself
 * @property {Promise<never>} failed rejects when it ends by itself
 * @property {() => string | undefined} endedWith why it no longer runs; undefined while it does
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a server and waits for its first response.
 *
 * @param {(port: number) => readonly string[]} commandAt the program and its words
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>}
 * @throws {Error} with the last line of its standard error when it ends before
 */
export async function startServer(commandAt, { folder, env, mostMemory = Infinity } = {}) {
  const port = await freePort();
  const [program = '', ...words] = commandAt(port);
  const started = performance.now();
  const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  /** @type {string[]} */
  const lines = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (lines.push(line) > KEPT_LINES) lines.shift();
  });
  const ended = once(child, 'close');
  const processId = child.pid ?? 0;
  const watch = watchMemory(child, processId, mostMemory);
  const endedWith = () => {
    if (child.exitCode === null && child.signalCode === null) return undefined;
    if (watch.isExceeded()) return `it was ended when it took ${mostMemory} MiB of memory`;
    return `it ended with ${child.signalCode ?? child.exitCode}: ${lines.at(-1) ?? ''}`;
  };
  let isStopping = false;
  /** @type {Promise<never>} */
  const failed = new Promise((_, reject) => {
    child.once('close', () => {
      if (!isStopping) reject(new Error(`${endedWith()}\n${lines.join('\n')}`));
    });
  });
  // The caller that awaits it reports the error.
  failed.catch(() => undefined);
  const stop = async () => {
    isStopping = true;
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(killer);
    watch.end();
  };
  try {
    await firstResponse(port, endedWith);
  } catch (error) {
    await stop();
    throw error;
  }
  const startMs = performance.now() - started;
  const startProcessorMs = 1_000 * processorSeconds(processId);
  const url = `http://127.0.0.1:${port}`;
  return { port, url, processId, startMs, startProcessorMs, failed, endedWith, stop };
}

/**
 * Ends a process that takes too much memory: the machine is not to be without.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} processId
 * @param {number} most
 */
function watchMemory(child, processId, most) {
  let exceeded = false;
  const look = () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    exceeded ||= memoryOf(processId).resident > most;
    if (exceeded) child.kill('SIGKILL');
  };
  const timer = most === Infinity ? undefined : setInterval(look, MEMORY_MS);
  return { isExceeded: () => exceeded, end: () => clearInterval(timer) };
}

/**
 * Waits for the first response at a port.
 *
 * @param {number} port
 * @param {() => string | undefined} [endedWith] why nothing will respond; undefined while something may
 */
export async function firstResponse(port, endedWith = () => undefined) {
  const end = performance.now() + START_MS;
  while (true) {
    try {
      await withConnection(port, (connection) => connection.call('eth_blockNumber'));
      return;
    } catch (error) {
      const reason = endedWith();
      if (reason !== undefined) throw new Error(reason);
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
