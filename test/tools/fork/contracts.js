/** Contracts as their packages ship them, compiled by their authors. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { encodeDeployData, encodeFunctionData } from 'viem';

/** Renamed, so that TypeScript does not resolve packages that may not be installed. */
const fromTools = createRequire(import.meta.url);
const fromRoot = createRequire(new URL('../../../package.json', import.meta.url));
const PREINSTALLS = new URL('../../../data/preinstalls.txt', import.meta.url);

/**
 * @typedef {`0x${string}`} Hex
 * @typedef {{ abi: any[], bytecode: Hex }} Artifact
 * @typedef {{ abi: any[], address: Hex }} Contract
 */

/**
 * @param {NodeJS.Require} load
 * @param {string} path
 * @returns {Artifact}
 */
function artifact(load, path) {
  const { abi, bytecode } = load(path);
  return { abi, bytecode: `0x${bytecode.replace(/^0x/, '')}` };
}

/** @param {string} path */
const v2 = (path) => artifact(fromRoot, `@uniswap/v2-${path}.json`);
/** @param {string} path */
const v3 = (path) => artifact(fromTools, `@uniswap/v3-${path}.json`);
/** @param {string} name */
const openZeppelin = (name) => artifact(fromRoot, `@openzeppelin/contracts/build/contracts/${name}.json`);

/** Reads all of them. */
export function readArtifacts() {
  return {
    ...{ wrapped: v2('periphery/build/WETH9'), token: v2('periphery/build/ERC20') },
    ...{ taxed: v2('periphery/build/DeflatingERC20'), pair: v2('core/build/UniswapV2Pair') },
    ...{ factory: v2('core/build/UniswapV2Factory'), router: v2('periphery/build/UniswapV2Router02') },
    pools: v3('core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory'),
    pool: v3('core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool'),
    positions: v3('periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager'),
    swaps: v3('periphery/artifacts/contracts/SwapRouter.sol/SwapRouter'),
    quoter: v3('periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2'),
    // It mints, pauses and has roles.
    minted: artifact(fromTools, '@openzeppelin/contracts/build/contracts/ERC20PresetMinterPauser.json'),
    proxy: openZeppelin('TransparentUpgradeableProxy'),
    proxyAdmin: openZeppelin('ProxyAdmin'),
    accounts: artifact(fromTools, '@account-abstraction/contracts/artifacts/SimpleAccountFactory.json'),
    account: artifact(fromTools, '@account-abstraction/contracts/artifacts/SimpleAccount.json'),
    entryPoint: artifact(fromTools, '@account-abstraction/contracts/artifacts/EntryPoint.json'),
  };
}

/** Returns the contracts that have one address on every chain, with their code. */
export function preinstalls() {
  const lines = readFileSync(PREINSTALLS, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', address, , code] = line.split(' ');
      return { name, address: /** @type {Hex} */ (address), code: /** @type {Hex} */ (code) };
    });
}

/**
 * Encodes a call of a contract.
 *
 * @param {{ abi: any[] }} contract
 * @param {string} functionName
 * @param {...unknown} args
 * @returns {Hex}
 */
export function dataOf({ abi }, functionName, ...args) {
  return encodeFunctionData({ abi, functionName, args });
}

/**
 * Encodes the creation of a contract.
 *
 * @param {Artifact} contract
 * @param {...unknown} args
 * @returns {Hex}
 */
export function creationOf({ abi, bytecode }, ...args) {
  return encodeDeployData({ abi, bytecode, args });
}
