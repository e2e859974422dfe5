/**
 * A forked chain beside anvil's: cold and warm calls, and a swap, behind a proxy with latency that counts requests; and
 * warm calls beside those of a chain without a fork.
 */

import { call } from '../../test/rpc-client.js';
import { startUpstreamProxy } from '../../test/upstream-proxy.js';
import { anvilCommand } from '../harness/anvil.js';
import { readFlags } from '../harness/flags.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { median, showMs } from '../harness/report.js';
import { withScratch } from '../harness/scratch.js';
import { startServer } from '../harness/server.js';
import { compareWarm } from './warm.js';
import { placeContracts, sweep } from './world.js';

const flags = readFlags({ latency: 50, warm: 200, rounds: 40, 'skip-anvil': false });
/** Contracts and slots of a cold call; those of a swap are others. */
const CALL = { contracts: 6, slots: 20 };
const SWAP = { contracts: 30, slots: 7 };

/** @typedef {Awaited<ReturnType<typeof startUpstreamProxy>>} Proxy */

/**
 * @param {string} name
 * @param {Proxy} proxy
 * @param {string} url
 */
async function measure(name, proxy, url) {
  /** @param {string} what @param {() => Promise<unknown>} action */
  const timed = async (what, action) => {
    const { requests } = proxy.counts;
    const began = performance.now();
    await action();
    const ms = performance.now() - began;
    process.stdout.write(`${name}: ${what}: ${showMs(ms)}, ${proxy.counts.requests - requests} requests\n`);
  };
  const read = sweep(0, CALL.contracts, CALL.slots);
  await timed('cold call of 120 slots', () => call(url, 'eth_call', read, 'latest'));
  await timed('cold swap', () => send(url, sweep(CALL.contracts, SWAP.contracts, SWAP.slots)));
  showWarm(name, await warmMs(url));
}

/** @param {string} url @param {object} message */
async function send(url, message) {
  const [from] = await call(url, 'eth_accounts');
  const hash = await call(url, 'eth_sendTransaction', { from, gas: '0xf00000', ...message });
  for (;;) if ((await call(url, 'eth_getTransactionReceipt', hash)) !== null) return;
}

/** @param {string} url */
async function warmMs(url) {
  const times = [];
  for (let count = 0; count < flags.warm; count += 1) {
    const began = performance.now();
    await call(url, 'eth_call', sweep(0, CALL.contracts, CALL.slots), 'latest');
    times.push(performance.now() - began);
  }
  return median(times);
}

/** @param {string} name @param {number} ms */
function showWarm(name, ms) {
  process.stdout.write(`${name}: median of ${flags.warm} warm calls: ${showMs(ms)}\n`);
}

/** @param {string} url of a node */
function ethereumAt(url) {
  return `${url.replace(/\/$/, '')}/ethereum`;
}

/** Starts a chain without a fork that has the contracts. */
async function startPlain() {
  const node = await startLedgerd(['--ethereum', '--quiet']);
  await placeContracts(ethereumAt(node.url), CALL.contracts + SWAP.contracts, CALL.slots);
  return node;
}

await withScratch('fork', async (folder) => {
  const remote = await startPlain();
  const proxy = await startUpstreamProxy(ethereumAt(remote.url), { latencyMs: flags.latency });
  const env = { ...process.env, XDG_CACHE_HOME: folder };
  const words = ['--quiet', '--fork', proxy.url, '--fork-trust-header'];
  for (const name of ['ledgerd', 'ledgerd, second process on the cache']) {
    const node = await startLedgerd(words, { env });
    await measure(name, proxy, ethereumAt(node.url));
    await node.stop();
  }
  if (!flags['skip-anvil']) {
    const forkWords = ['--fork-url', proxy.url, '--no-storage-caching'];
    const anvil = await startServer((port) => [...anvilCommand(port), ...forkWords], { env });
    await measure('anvil', proxy, anvil.url);
    await anvil.stop();
  }
  const forked = await startLedgerd(words, { env });
  const plain = await startPlain();
  const message = sweep(0, CALL.contracts, CALL.slots);
  await compareWarm(forked, plain, { message, rounds: flags.rounds, calls: flags.warm });
  for (const node of [forked, plain, remote]) await node.stop();
  await proxy.close();
});
