import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;
/** The package with anvil's program itself: the script of `@foundry-rs/anvil` would stay between us and it. */
export const ANVIL_PACKAGE = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURE}`;

/**
 * The words that start anvil at a port, without a line for each request.
 *
 * @param {number} port
 * @returns {string[]}
 */
export function anvilCommand(port) {
  return [require.resolve(`${ANVIL_PACKAGE}/bin/anvil`), '--port', String(port), '--silent'];
}
