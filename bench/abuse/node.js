/** The node under attack, in a process of its own. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from './client.js';
import { LOG_WRITER } from './programs.js';

const GAS = '0xffffff';
/** How often is asked whether the node answers. */
const PATIENCE_MS = 100;

/**
 * @typedef {object} NodeOptions
 * @property {string} program path of `ledgerd.js`
 * @property {number} heapMebibytes what V8 may take for its heap
 * @property {number} workers
 */

/**
 * Starts a node in test mode with a folder of its own.
 *
 * @param {NodeOptions} options
 * @param {string[]} flags of `ledgerd start`, further ones
 * @returns its port, what it occupies of memory, how it ended if it did, and how to stop it
 */
export function startTestNode(options, flags = []) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-abuse-'));
  return startIn(folder, options, ['--test', '--quiet', ...flags]);
}

/** Starts a producer of a chain of its own that follows whatever listens at a port. */
export function startFollower(options, followedPort) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-abuse-'));
  execFileSync(process.execPath, [options.program, 'init', '--data-dir', join(folder, 'node')]);
  return startIn(folder, options, ['--follow', `http://127.0.0.1:${followedPort}`, '--log-level', 'error']);
}

async function startIn(folder, { program, heapMebibytes, workers }, flags) {
  const port = await freePort();
  const words = ['start', '--data-dir', join(folder, 'node'), '--port', String(port), ...flags];
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMebibytes}`, program, ...words, '--workers', String(workers)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'exit');
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('the node does not start');
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  }
  return {
    port,
    memory: () => memoryOf(child.pid),
    /** The signal or status that it ended with by itself; undefined while it runs. */
    end: () => child.signalCode ?? child.exitCode ?? undefined,
    stop: async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port that nobody listens at. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port) {
  try {
    await ask(port, 'eth_blockNumber');
    return true;
  } catch {
    return false;
  }
}

/** Bytes of memory that a process occupies; undefined where the system does not tell. */
function memoryOf(pid) {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Has a contract write at least so many logs, as many to a transaction as its gas pays for. */
export async function writeLogs(port, count, progress) {
  const [from] = await ask(port, 'eth_accounts');
  const creation = await ask(port, 'eth_sendTransaction', { from, data: LOG_WRITER });
  const { contractAddress: to } = await ask(port, 'eth_getTransactionReceipt', creation);
  let written = 0;
  while (written < count) {
    const hash = await ask(port, 'eth_sendTransaction', { from, to, gas: GAS });
    const { logs } = await ask(port, 'eth_getTransactionReceipt', hash);
    written += logs.length;
    progress(written);
  }
  return written;
}
