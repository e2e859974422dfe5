/** Calls of the contracts of the remote chain. */

import { dataOf } from '../contracts.js';
import { DEADLINE, POOL_FEE } from '../world.js';

/** @typedef {import('../world.js').World} World */

export const ETHER = 10n ** 18n;
/** An account that the remote chain does not have. */
export const STRANGER = /** @type {import('../contracts.js').Hex} */ (`0x${'57'.repeat(20)}`);
/** Gas for any of the calls. */
export const GAS = '0x4c4b40';

/**
 * Draws an amount of tokens or wei.
 *
 * @param {import('../../differential/random.js').Random} random
 */
export const amountOf = (random) => BigInt(1 + random.below(10 ** 9)) * 10n ** 9n;

/**
 * Calls a contract.
 *
 * @param {import('../contracts.js').Contract} contract
 * @param {string} name
 * @param {...unknown} args
 */
export const callOf = (contract, name, ...args) => ({
  to: contract.address,
  data: dataOf(contract, name, ...args),
});

/**
 * Swaps tokens of alice in a pair of version 2.
 *
 * @param {World} world
 * @param {bigint} amount
 * @param {{ least?: bigint, deadline?: bigint }} [bounds]
 */
export function swapInPair(
  { accounts, apple, pear, router },
  amount,
  { least = 0n, deadline = DEADLINE } = {},
) {
  const [alice, bob] = accounts;
  const path = [apple.address, pear.address];
  const call = callOf(router, 'swapExactTokensForTokens', amount, least, path, bob, deadline);
  return { from: alice, gas: GAS, ...call };
}

/**
 * Swaps tokens of alice in a pool of version 3.
 *
 * @param {World} world
 * @param {bigint} amount
 */
export function swapInPool({ accounts, apple, pear, swaps }, amount) {
  const [alice] = accounts;
  const swap = {
    ...{
      tokenIn: apple.address,
      tokenOut: pear.address,
      fee: POOL_FEE,
      recipient: alice,
      deadline: DEADLINE,
    },
    ...{ amountIn: amount, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
  };
  return { from: alice, gas: GAS, ...callOf(swaps, 'exactInputSingle', swap) };
}

/**
 * Runs an operation of ERC-4337.
 *
 * @param {World} world
 * @param {object} operation
 */
export function handleOperation({ accounts, entryPoint }, operation) {
  const [, bundler] = accounts;
  return { from: bundler, gas: GAS, ...callOf(entryPoint, 'handleOps', [operation], bundler) };
}

/**
 * Calls a function of Multicall3 that returns a part of its block or of the state.
 *
 * @param {World} world
 * @param {string} name
 * @param {...unknown} args
 */
export const contextCall = ({ multicall }, name, ...args) =>
  callOf({ abi: CONTEXT_ABI, address: multicall }, name, ...args);

/** @param {string} name @param {readonly string[]} [types] */
const view = (name, types = []) => ({
  ...{ type: 'function', name, stateMutability: 'view', inputs: types.map((type) => ({ name: '', type })) },
  outputs: [{ name: '', type: 'uint256' }],
});
const CONTEXT_ABI = [
  ...[view('getBlockNumber'), view('getCurrentBlockTimestamp'), view('getBasefee'), view('getChainId')],
  ...[view('getLastBlockHash'), view('getCurrentBlockCoinbase'), view('getCurrentBlockGasLimit')],
  ...[view('getBlockHash', ['uint256']), view('getEthBalance', ['address'])],
];
