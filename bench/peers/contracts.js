/** The contracts that every peer gets. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const SETTINGS = {
  // The last fork that all peers know.
  evmVersion: 'shanghai',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

/** Bytes of the largest contract that is deployed. */
const LARGE_BYTES = 20 * 1_024;

/** Creation code that is put before the code of a large contract: it copies what follows it, and returns that. */
const LARGE_PREFIX = '61500080600a3d393df3';

/**
 * Compiles `Work.sol`, and adds Uniswap v2 as its authors ship it.
 *
 * @returns {Record<string, { abi: object[], bytecode: `0x${string}` }>} by name
 */
export function loadContracts() {
  const compiled = compile('Work.sol');
  return {
    ...compiled,
    Factory: shipped('@uniswap/v2-core/build/UniswapV2Factory.json'),
    Router: shipped('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
    WrappedCoin: shipped('@uniswap/v2-periphery/build/WETH9.json'),
    Large: { abi: [], bytecode: `0x${LARGE_PREFIX}${'5b'.repeat(LARGE_BYTES)}` },
  };
}

function compile(file) {
  const solc = require('solc');
  const content = readFileSync(new URL(file, import.meta.url), 'utf8');
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings: SETTINGS };
  const importFile = (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input), { import: importFile }));
  const failures = errors.filter(({ severity }) => severity === 'error');
  if (failures.length > 0)
    throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const entries = Object.entries(contracts[file]).map(([name, { abi, evm }]) => [
    name,
    { abi, bytecode: `0x${evm.bytecode.object}` },
  ]);
  return Object.fromEntries(entries);
}

function shipped(path) {
  const { abi, bytecode } = require(path);
  return { abi, bytecode: `0x${bytecode.replace(/^0x/, '')}` };
}
