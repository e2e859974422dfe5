/** Contracts: compiled from Solidity, or as packages ship them. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** @typedef {{ abi: object[], bytecode: `0x${string}`, selectors: Readonly<Record<string, string>> }} Contract */

/**
 * Compiles a file.
 *
 * @param {URL} file
 * @param {'shanghai' | 'cancun'} evmVersion
 * @returns {Record<string, Contract>} by name; `selectors` are digits by signature
 * @throws {Error} with the compiler's words
 */
export function compile(file, evmVersion) {
  const solc = require('solc');
  const name = basename(fileURLToPath(file));
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: readFileSync(file, 'utf8') } },
    settings: {
      evmVersion,
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.methodIdentifiers'] } },
    },
  };
  /** @param {string} path */
  const importFile = (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input), { import: importFile }));
  const failures = errors.filter(({ severity }) => severity === 'error');
  if (failures.length > 0) {
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  return Object.fromEntries(
    Object.entries(contracts[name]).map(([contract, { abi, evm }]) => [
      contract,
      { abi, bytecode: `0x${evm.bytecode.object}`, selectors: evm.methodIdentifiers },
    ]),
  );
}

/**
 * A contract as its authors ship it.
 *
 * @param {string} path of its description in a package
 * @returns {Contract}
 */
export function shipped(path) {
  const { abi, bytecode } = require(path);
  return { abi, bytecode: `0x${bytecode.replace(/^0x/, '')}`, selectors: {} };
}
