/** The contracts of the suite, compiled once. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** @typedef {{ abi: any[], bytecode: `0x${string}`, deployedBytecode: `0x${string}` }} Contract */

/** @type {{ shop: Contract, stock: Contract, flood: Contract, token: Contract } | undefined} */
let compiled;

/**
 * Compiles the contract that is called.
 *
 * @returns {Contract}
 * @throws {Error} with the compiler's message
 */
export function shopContract() {
  compiled ??= compile();
  return compiled.shop;
}

/**
 * Compiles the contract that the other one calls.
 *
 * @returns {Contract}
 * @throws {Error} with the compiler's message
 */
export function stockContract() {
  compiled ??= compile();
  return compiled.stock;
}

/**
 * The contract that does one thing very often.
 *
 * @returns {Contract}
 * @throws {Error} with the compiler's words
 */
export function floodContract() {
  compiled ??= compile();
  return compiled.flood;
}

/**
 * The token (ERC-20).
 *
 * @returns {Contract}
 * @throws {Error} with the compiler's words
 */
export function tokenContract() {
  compiled ??= compile();
  return compiled.token;
}

function compile() {
  const sourceOf = (/** @type {string} */ file) => ({
    content: readFileSync(new URL(`../contracts/${file}`, import.meta.url), 'utf8'),
  });
  const input = {
    language: 'Solidity',
    sources: {
      'Shop.sol': sourceOf('Shop.sol'),
      'Flood.sol': sourceOf('Flood.sol'),
      'Token.sol': sourceOf('Token.sol'),
    },
    settings: {
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(require('solc').compile(JSON.stringify(input)));
  const failures = (output.errors ?? []).filter((/** @type {any} */ { severity }) => severity === 'error');
  if (failures.length > 0) {
    throw new Error(failures.map((/** @type {any} */ { formattedMessage }) => formattedMessage).join('\n'));
  }
  const contractOf = (/** @type {string} */ file, /** @type {string} */ name) => {
    const { abi, evm } = output.contracts[file][name];
    const { bytecode, deployedBytecode } = evm;
    return /** @type {Contract} */ ({
      abi,
      bytecode: `0x${bytecode.object}`,
      deployedBytecode: `0x${deployedBytecode.object}`,
    });
  };
  return {
    shop: contractOf('Shop.sol', 'Shop'),
    stock: contractOf('Shop.sol', 'Stock'),
    flood: contractOf('Flood.sol', 'Flood'),
    token: contractOf('Token.sol', 'Token'),
  };
}
