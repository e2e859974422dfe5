import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const CONFIG = fileURLToPath(new URL('../peers/hardhat.config.cjs', import.meta.url));

/**
 * The words that start Hardhat's node at a port.
 *
 * @param {number} port
 * @returns {string[]}
 */
export function hardhatCommand(port) {
  const program = require.resolve('hardhat/internal/cli/bootstrap.js');
  const words = ['--config', CONFIG, 'node', '--hostname', '127.0.0.1', '--port', String(port)];
  return ['/usr/bin/env', 'BENCH_ACCOUNTS=10', process.execPath, program, ...words];
}
