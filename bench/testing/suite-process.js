/**
 * Tests with a node in their process, of which they ask by EIP-1193, without HTTP:
 * `node suite-process.js ledgerd FILE`, where FILE is its program. Each message says how many tests are to be run, and
 * is answered by how many there were in a second.
 */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadContracts } from '../peers/contracts.js';
import { ACCOUNTS } from '../peers/peers.js';
import { loadTokens } from '../peers/world.js';
import { suite } from './work.js';

const require = createRequire(import.meta.url);
const CONFIGURATION = fileURLToPath(new URL('../peers/hardhat.config.js', import.meta.url));

/** Starts the node; returns a function for requests and one that stops it. */
async function startNode(name, program) {
  if (name === 'hardhat') {
    process.env.HARDHAT_CONFIG = CONFIGURATION;
    const { network } = await import(import.meta.resolve('hardhat'));
    const { provider, close } = await network.connect();
    return { provider, stop: close };
  }
  const { startTestNode } = require(join(dirname(program), 'library.js'));
  return await startTestNode({ accounts: ACCOUNTS });
}

const [name, program] = process.argv.slice(2);
const node = await startNode(name, program);
const connection = { call: (method, ...params) => node.provider.request({ method, params }) };
const world = await loadTokens(connection, loadContracts());

process.on('disconnect', () => void node.stop());
process.on('message', async (tests) => {
  try {
    process.send?.({ value: await suite(connection, world, { tests }) });
  } catch (error) {
    process.send?.({ failure: error.message });
  }
});
process.send?.('ready');
