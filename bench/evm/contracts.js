/** The contracts of `Workloads.sol` and of Uniswap v2, ready to be deployed. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
};

/**
 * Compiles `Workloads.sol`.
 *
 * @returns {Record<string, { bytecode: Uint8Array, selector: (signature: string) => Uint8Array }>} by name
 */
export function compileContracts() {
  const solc = require('solc');
  const content = readFileSync(new URL('Workloads.sol', import.meta.url), 'utf8');
  const input = { language: 'Solidity', sources: { 'Workloads.sol': { content } }, settings: SETTINGS };
  const importFile = (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input), { import: importFile }));
  const failures = errors.filter(({ severity }) => severity === 'error');
  if (failures.length > 0)
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const entries = Object.entries(contracts['Workloads.sol']).map(([name, { evm }]) => {
    const selector = (signature) => Buffer.from(evm.methodIdentifiers[signature], 'hex');
    return [name, { bytecode: Buffer.from(evm.bytecode.object, 'hex'), selector }];
  });
  return Object.fromEntries(entries);
}

/** Creation code of the factory of Uniswap v2, as its authors ship it. */
export function uniswapFactory() {
  const { bytecode } = require('@uniswap/v2-core/build/UniswapV2Factory.json');
  return Buffer.from(bytecode.replace(/^0x/, ''), 'hex');
}
