/** The nodes of the comparison. */

import { startAnvil } from '../differential/start.js';
import { Endpoint } from '../harness/endpoint.js';
import { startLedgerd } from '../harness/targets.js';

/** Seconds between blocks, whatever the clock: so results depend on the seed alone. */
const BLOCK_SECONDS = 12;
const BEGIN = 1_700_000_000;

/** @typedef {{ endpoint: Endpoint, stop(): Promise<void> }} Node */

/** Starts the remote node. @returns {Promise<Node>} */
export async function startRemote() {
  return paced(await startAnvil(['--chain-id', '31337', '--timestamp', String(BEGIN)]));
}

/**
 * Starts anvil as a fork.
 *
 * @param {string} url
 * @param {number} block
 * @returns {Promise<Node>}
 */
export async function forkWithAnvil(url, block) {
  const words = [
    '--fork-url',
    url,
    '--fork-block-number',
    String(block),
    '--no-storage-caching',
    '--no-rate-limit',
  ];
  return paced(await startAnvil([...words, '--order', 'fifo', '--steps-tracing']));
}

/**
 * Starts ledgerd as a fork.
 *
 * @param {string} source URL with a block, or the file of a pack
 * @param {readonly string[]} [words]
 * @returns {Promise<Node>}
 */
export async function forkWithLedgerd(source, words = []) {
  return paced(await startLedgerd(['--fork', source, '--no-fork-cache', ...words]));
}

/** @param {{ url: string, stop(): Promise<void> }} started @returns {Promise<Node>} */
async function paced({ url, stop }) {
  const endpoint = new Endpoint(url);
  await endpoint.call('anvil_setBlockTimestampInterval', BLOCK_SECONDS);
  return { endpoint, stop };
}
