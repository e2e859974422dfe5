/** The contract of the suite, compiled once. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** @typedef {{ abi: any[], bytecode: `0x${string}` }} Contract */

/** @type {Contract | undefined} */
let compiled;

/**
 * @returns {Contract}
 * @throws {Error} with the compiler's words
 */
export function shopContract() {
  compiled ??= compile();
  return compiled;
}

function compile() {
  const content = readFileSync(new URL('../contracts/Shop.sol', import.meta.url), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { 'Shop.sol': { content } },
    settings: {
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(require('solc').compile(JSON.stringify(input)));
  const failures = (output.errors ?? []).filter((/** @type {any} */ { severity }) => severity === 'error');
  if (failures.length > 0) {
    throw new Error(failures.map((/** @type {any} */ { formattedMessage }) => formattedMessage).join('\n'));
  }
  const { abi, evm } = output.contracts['Shop.sol'].Shop;
  return { abi, bytecode: /** @type {`0x${string}`} */ (`0x${evm.bytecode.object}`) };
}
