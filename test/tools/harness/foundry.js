/** Foundry's programs. */

import { createRequire } from 'node:module';
import { run } from './processes.js';

const require = createRequire(import.meta.url);
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;

/**
 * Runs one of them in a folder that is also its home, and returns its output.
 *
 * @param {'cast' | 'forge'} name
 * @param {readonly string[]} words
 * @param {string} folder
 * @param {string} url of the node
 * @param {Readonly<Record<string, string>>} [further] variables of the environment
 * @returns {Promise<string>}
 * @throws {Error} with all that it wrote when it fails
 */
export async function foundry(name, words, folder, url, further = {}) {
  const program = require.resolve(`@foundry-rs/${name}-${process.platform}-${ARCHITECTURE}/bin/${name}`);
  // Another's settings in the environment are none of the suite's.
  const kept = Object.entries(process.env).filter(([key]) => !/^(FOUNDRY|ETH|DAPP|CAST|FORGE)_/.test(key));
  const settings = { HOME: folder, ETH_RPC_URL: url, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1', NO_COLOR: '1' };
  const env = { ...Object.fromEntries(kept), ...settings, ...further };
  return (await run(program, words, { cwd: folder, env })).trim();
}
