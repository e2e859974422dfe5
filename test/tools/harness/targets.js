/** Targets of the tools: a node that is started here, or any URL. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../free-ports.js';
import { MNEMONIC } from './accounts.js';
import { Endpoint } from './endpoint.js';
import { start } from './processes.js';

const require = createRequire(import.meta.url);
/** The program that is started. */
export const LEDGERD = fileURLToPath(new URL('../../../bin/ledgerd.js', import.meta.url));
const CHAIN_ID = 31_337;
/** Time-out and polling interval of a node's first response. */
const START_MS = 120_000;
const LOOK_MS = 50;

/**
 * @typedef {object} Target
 * @property {'ledgerd' | 'anvil' | 'url'} name
 * @property {string} version
 * @property {string} url
 * @property {string} webSocketUrl of the node itself, whatever stands before it
 * @property {Endpoint} endpoint
 * @property {bigint} chainId
 * @property {string} [nativeKey] of the first native test account, 64 digits; where ledgerd was started here
 * @property {() => string} [output] what it has printed; where ledgerd was started here
 * @property {(signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>} stop
 */

/**
 * Opens the requested target.
 *
 * @param {'ledgerd' | 'drop-in' | 'anvil'} name `drop-in`: ledgerd as it replaces anvil, at `/`
 * @param {string} url that already serves; empty to start one
 * @returns {Promise<Target>}
 */
export async function openTarget(name, url) {
  if (url !== '') return describe('url', url, () => Promise.resolve());
  if (name === 'anvil') return startAnvil(['--chain-id', String(CHAIN_ID)]);
  return name === 'drop-in' ? startLedgerd(['--as', 'anvil'], '') : startLedgerd(['--ethereum']);
}

/**
 * Starts a node whose chain continues from the newest block of another node.
 *
 * @param {string} name
 * @param {string} url of the remote node
 * @param {readonly string[]} [words] further flags
 */
export function startFork(name, url, words = []) {
  return name === 'anvil'
    ? startAnvil(['--fork-url', url, '--no-storage-caching', ...words])
    : startLedgerd(['--fork', url, '--no-fork-cache', ...words]);
}

/**
 * Starts ledgerd.
 *
 * @param {readonly string[]} words flags of `ledgerd start`
 * @param {string} path of Ethereum's interface
 * @returns {Promise<Target>}
 * @throws {Error} with what it wrote when it ends before it serves
 */
export async function startLedgerd(words, path = '/ethereum') {
  const program = start(process.execPath, [LEDGERD, 'start', '--port', '0', ...words]);
  const base = await waitFor(program, () => {
    const [, url] = /"url":"(http:[^"]+)"/.exec(program.outputs.stdout + program.outputs.stderr) ?? [];
    return url ?? /http:\/\/127\.0\.0\.1:\d+/.exec(program.outputs.stdout + program.outputs.stderr)?.[0];
  });
  const target = await describe('ledgerd', `${base.replace(/\/$/, '')}${path}`, program.stop);
  const [, nativeKey] = /Private keys\n\(0\) 0x([0-9a-f]{64})/.exec(program.outputs.stdout) ?? [];
  const output = () => program.outputs.stdout + program.outputs.stderr;
  return { ...target, output, ...(nativeKey !== undefined && { nativeKey }) };
}

/**
 * Starts anvil with the accounts of the suite.
 *
 * @param {readonly string[]} flags
 * @returns {Promise<Target>}
 */
export async function startAnvil(flags) {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const path = require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-tools-anvil-'));
  const words = ['--port', String(port), '--mnemonic', MNEMONIC, '--silent', ...flags];
  const program = start(path, words, { cwd: folder });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(program, async () => {
    const served = await new Endpoint(url).call('eth_chainId').catch(() => undefined);
    return served === undefined ? undefined : url;
  });
  const stop = async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return describe('anvil', url, stop);
}

/**
 * @param {Target['name']} name
 * @param {string} url
 * @param {() => Promise<void>} stop
 * @returns {Promise<Target>}
 */
async function describe(name, url, stop) {
  const endpoint = new Endpoint(url);
  try {
    const chainId = await endpoint.quantity('eth_chainId');
    const version = await endpoint.call('web3_clientVersion');
    const webSocketUrl = url.replace(/^http/, 'ws');
    return { name, version, url, webSocketUrl, endpoint, chainId, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @template T
 * @param {ReturnType<typeof start>} program
 * @param {() => T | undefined | Promise<T | undefined>} look
 * @returns {Promise<T>}
 */
async function waitFor(program, look) {
  const end = performance.now() + START_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const hasEnded = program.child.exitCode !== null || program.child.signalCode !== null;
    if (hasEnded || performance.now() > end) {
      await program.stop('SIGKILL');
      throw new Error(`it does not serve:\n${program.outputs.stdout}\n${program.outputs.stderr}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/**
 * Returns the URL of a chain's native side; undefined without one.
 *
 * @param {Target} target
 */
export function nativeUrl({ name, url }) {
  return name === 'anvil' ? undefined : new URL('/ledger', url).href;
}
