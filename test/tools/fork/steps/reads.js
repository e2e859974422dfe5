/** Steps that read the state at the block of the fork, and at earlier ones. */

import { encodeAbiParameters, keccak256, numberToHex } from 'viem';
import { dataOf } from '../contracts.js';
import { failing, step } from '../step.js';
import { WHALE } from '../world.js';

/** Slot of the balances of the token. */
const BALANCES = 1n;
/** Slot of the implementation of a proxy (ERC-1967). */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const NOBODY = `0x${'0b'.repeat(20)}`;

/** Returns the slot of a balance. @param {import('../contracts.js').Hex} holder */
export const balanceSlot = (holder) =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [holder, BALANCES]));

/**
 * @param {import('../world.js').World} world
 * @param {import('../../differential/random.js').Random} random
 * @returns {import('../step.js').Step[]}
 */
export function reads(world, random) {
  const { accounts, apple, pair, pool, proxy, wrapped, entryPoint, account, multicall, number } = world;
  const [alice, bob] = accounts;
  const earlier = numberToHex(number - 1 - random.below(20));
  const holders = Array.from({ length: 4 }, () => random.pick(world.holders));
  const head = numberToHex(number);
  return [
    ...['eth_chainId', 'net_version', 'eth_blockNumber', 'eth_accounts', 'eth_gasPrice'].map((name) =>
      step(name),
    ),
    ...['eth_maxPriorityFeePerGas', 'eth_blobBaseFee', 'eth_syncing'].map((name) => step(name)),
    ...[alice, WHALE, NOBODY, wrapped.address, account.address].map((address) =>
      step('eth_getBalance', address, 'latest'),
    ),
    ...[alice, bob, NOBODY, pair.address].map((address) =>
      step('eth_getTransactionCount', address, 'latest'),
    ),
    ...[apple, pair, pool, proxy, entryPoint, account, { address: multicall }, { address: bob }].map(
      ({ address }) => step('eth_getCode', address, 'latest'),
    ),
    ...['0x0', '0x6', '0x8', `0x${'ff'.repeat(32)}`].map((slot) =>
      step('eth_getStorageAt', pair.address, slot, 'latest'),
    ),
    step('eth_getStorageAt', pool.address, '0x0', 'latest'),
    step('eth_getStorageAt', proxy.address, IMPLEMENTATION, 'latest'),
    step('eth_getStorageAt', NOBODY, '0x0', 'latest'),
    ...holders.map((holder) => step('eth_getStorageAt', apple.address, balanceSlot(holder), 'latest')),
    step('eth_getBalance', alice, earlier),
    step('eth_getTransactionCount', alice, earlier),
    step('eth_getCode', account.address, earlier),
    step('eth_getStorageAt', pair.address, '0x8', earlier),
    step('eth_call', { to: apple.address, data: dataOf(apple, 'balanceOf', alice) }, earlier),
    step('eth_getBalance', WHALE, head),
    step('eth_getBalance', WHALE, 'earliest'),
    step('eth_getProof', WHALE, [], earlier),
    failing('eth_getBalance', WHALE, numberToHex(number + 100)),
    failing('eth_getBalance', 'whale', 'latest'),
  ];
}
