import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../free-ports.js';
import { call } from '../../rpc-client.js';
import { start } from '../harness/processes.js';

const require = createRequire(import.meta.url);
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;
const LEDGERD = fileURLToPath(new URL('../../../bin/ledgerd.js', import.meta.url));
/** Time-out and polling interval of a node's start. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 50;

/** @typedef {{ name: string, url: string, stop(): Promise<void> }} Started */

/** @returns {Promise<Started>} */
export async function startLedgerd() {
  const port = await freePort();
  const words = [LEDGERD, 'start', '--ethereum', '--port', String(port)];
  return started('ledgerd', process.execPath, words, `http://127.0.0.1:${port}/ethereum`);
}

/**
 * Starts anvil with the newest rules.
 *
 * @param {readonly string[]} words further flags
 * @returns {Promise<Started>}
 */
export async function startAnvil(words = ['--gas-limit', '45000000', '--chain-id', '31337']) {
  const port = await freePort();
  const program = require.resolve(`@foundry-rs/anvil-${process.platform}-${ARCHITECTURE}/bin/anvil`);
  const all = ['--port', String(port), '--silent', '--hardfork', 'osaka', ...words];
  return started('anvil', program, all, `http://127.0.0.1:${port}`);
}

/**
 * @param {string} name
 * @param {string} program
 * @param {string[]} words
 * @param {string} url
 * @returns {Promise<Started>}
 */
async function started(name, program, words, url) {
  const { child, outputs, stop } = start(program, words);
  const end = performance.now() + PATIENCE_MS;
  const serves = () =>
    call(url, 'eth_chainId').then(
      () => true,
      () => false,
    );
  while (!(await serves())) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop('SIGKILL');
      throw new Error(`${name} does not answer at ${url}: ${outputs.stdout}${outputs.stderr}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return { name, url, stop };
}
