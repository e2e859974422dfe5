/** The node under attack, in a process of its own. */

import { spawn } from 'node:child_process';
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
 * Starts a node in test mode with a folder of its own.
 *
 * @param {string} program path of `ledgerd.js`
 * @returns its port, what it occupies of memory, and how to stop it
 */
export async function startNode(program) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-abuse-'));
  const port = await freePort();
  const flags = ['start', '--test', '--data-dir', join(folder, 'node'), '--port', String(port), '--quiet'];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('the node does not start');
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  }
  return {
    port,
    memory: () => memoryOf(child.pid),
    stop: async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort() {
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
