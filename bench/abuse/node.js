/** Starts the nodes under attack in separate processes. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../../test/rpc-client.js';
import { runCommand, startLedgerd } from '../harness/ledgerd.js';
import { LOG_WRITER } from './programs.js';

const GAS = '0xffffff';

/**
 * @typedef {object} NodeOptions
 * @property {string} program path of `ledgerd.js`
 * @property {number} heapMebibytes what V8 may take for its heap
 * @property {number} workers
 */

/**
 * Starts a test node with a temporary folder.
 *
 * @param {NodeOptions} options
 * @param {string[]} flags of `ledgerd start`, further ones
 */
export function startTestNode(options, flags = []) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-abuse-'));
  return startIn(folder, options, ['--test', '--quiet', ...flags]);
}

/**
 * Starts a producer of a separate chain that follows the server at a port.
 *
 * @param {NodeOptions} options
 * @param {number} followedPort
 */
export async function startFollower(options, followedPort) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-abuse-'));
  await runCommand(['init', '--data-dir', join(folder, 'node')], options.program);
  return startIn(folder, options, ['--follow', `http://127.0.0.1:${followedPort}`, '--log-level', 'error']);
}

/**
 * @param {string} folder
 * @param {NodeOptions} options
 * @param {string[]} flags
 */
async function startIn(folder, { program, heapMebibytes, workers }, flags) {
  const words = ['--data-dir', join(folder, 'node'), '--workers', String(workers), ...flags];
  const nodeFlags = [`--max-old-space-size=${heapMebibytes}`];
  const node = await startLedgerd(words, { program, nodeFlags });
  const stop = async () => {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...node, stop };
}

/**
 * Has a contract write at least so many logs, as many to a transaction as its gas pays for.
 *
 * @param {string} url
 * @param {number} count
 * @param {(written: number) => void} progress
 */
export async function writeLogs(url, count, progress) {
  const [from] = await call(url, 'eth_accounts');
  const creation = await call(url, 'eth_sendTransaction', { from, data: LOG_WRITER });
  const { contractAddress: to } = await call(url, 'eth_getTransactionReceipt', creation);
  let written = 0;
  while (written < count) {
    const hash = await call(url, 'eth_sendTransaction', { from, to, gas: GAS });
    const { logs } = await call(url, 'eth_getTransactionReceipt', hash);
    written += logs.length;
    progress(written);
  }
  return written;
}
