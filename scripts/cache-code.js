/**
 * Creates V8's code cache of a bundle: runs a node that stores the compiled code (`bin/load-program.js`), and sends it
 * the requests that clients use most, since the cache contains only functions that have run.
 */

import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds after which a node that stores no cache is stopped: it may have a low priority on a busy machine. */
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

/** A contract that returns 42, and one that the chain has from its genesis: Multicall3, with its `getBlockNumber`. */
const CREATION = '0x600a600c600039600a6000f3602a60005260206000f3';
const MULTICALL = { to: '0xcA11bde05977b3631167028862bE2a173976CA11', data: '0x42cbb15c' };

/**
 * Creates the cache beside the bundle. Without it only the start takes longer, so a failure is ignored.
 *
 * @param {string} root the checkout
 */
export async function cacheCode(root) {
  const file = join(root, 'build/program/ledgerd.cjs');
  const cache = file.replace(/\.cjs$/, '.cache');
  rmSync(cache, { force: true });
  const program = `
    const isWarm = require('node:events').once(process, 'message');
    const { main } = require('./bin/load-program.js').loadProgram(process.argv[1], isWarm);
    main(['start', '--ethereum', '--port', '0']);`;
  const node = spawn(process.execPath, ['--eval', program, file], {
    cwd: root,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  let isRunning = true;
  const ended = new Promise((resolve) => node.on('close', resolve)).then(() => {
    isRunning = false;
  });
  let output = '';
  let isCalled = false;
  node.stdout?.on('data', (text) => {
    output += text;
    const [url] = /http:\/\/[\w.]+:\d+/.exec(output) ?? [];
    if (url === undefined || isCalled) return;
    isCalled = true;
    sendRequests(url)
      .catch(() => undefined)
      .then(() => isRunning && node.send('warm'));
  });
  for (let waited = 0; waited < TIMEOUT_MS && isRunning && !existsSync(cache); waited += POLL_INTERVAL_MS) {
    await delay(POLL_INTERVAL_MS);
  }
  node.kill('SIGTERM');
  await ended;
}

/**
 * Sends typical requests to both paths of a node: that of Ethereum on a further chain, which the first one creates.
 *
 * @param {string} node
 */
async function sendRequests(node) {
  for (const url of [`${node}/chain/1/ethereum`, node]) {
    /** @param {string} method @param {...unknown} params */
    const call = async (method, ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(url, { method: 'POST', body });
      const { result } = /** @type {any} */ (await response.json());
      return result;
    };
    const [from, to] = await call('eth_accounts');
    const transfer = { from, to, value: '0xde0b6b3a7640000' };
    for (const method of ['eth_chainId', 'net_version', 'eth_blockNumber', 'eth_gasPrice'])
      await call(method);
    await call('eth_feeHistory', '0x4', 'latest', [50]);
    await call('eth_getBalance', from, 'latest');
    await call('eth_getTransactionCount', from, 'pending');
    await call('eth_estimateGas', transfer);
    await call('eth_call', MULTICALL, 'latest');
    const snapshot = await call('evm_snapshot');
    /** @type {string[]} */
    const raws = [];
    for (const transaction of [transfer, transfer, { from, data: CREATION, gas: '0x186a0' }]) {
      const hash = await call('eth_sendTransaction', transaction);
      await call('eth_getTransactionReceipt', hash);
      await call('eth_getTransactionByHash', hash);
      raws.push(await call('eth_getRawTransactionByHash', hash));
    }
    await call('eth_getBlockByNumber', 'latest', true);
    await call('eth_getLogs', { fromBlock: '0x0' });
    await call('evm_revert', snapshot);
    for (const raw of raws) await call('eth_sendRawTransaction', raw);
  }
}
