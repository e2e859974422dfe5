/** Steps that control the chain: snapshots, time, mining, the state, and other forks. */

import { numberToHex } from 'viem';
import { own, saved, send, step, tagged } from '../step.js';
import { WHALE } from '../world.js';
import { callOf, contextCall, ETHER } from './messages.js';

const GWEI = 10n ** 9n;
const STRANGER = `0x${'c0'.repeat(20)}`;

/** @typedef {import('../world.js').World} World */
/** @typedef {import('../step.js').Step} Step */

/** @param {World} world @returns {Step[]} */
export function snapshots({ accounts, apple }) {
  const [alice, bob] = accounts;
  const state = [
    step('eth_blockNumber'),
    step('eth_call', callOf(apple, 'balanceOf', bob), 'latest'),
    step('eth_getBalance', alice, 'latest'),
    step('eth_getTransactionCount', alice, 'latest'),
    step('eth_getBalance', WHALE, 'latest'),
  ];
  return [
    own('outer', 'evm_snapshot'),
    ...send('in the outer', { from: alice, ...callOf(apple, 'transfer', bob, 7n) }),
    own('inner', 'evm_snapshot'),
    ...send('in the inner', { from: alice, to: WHALE, value: '0x7' }),
    ...state,
    step('evm_revert', saved('inner')),
    ...state,
    step('evm_revert', saved('outer')),
    ...state,
    step('eth_getTransactionReceipt', saved('in the outer')),
    step('evm_revert', saved('inner')),
    ...send('rolled back', { from: alice, ...callOf(apple, 'transfer', bob, 8n) }),
    step('anvil_rollback', 1),
    ...state,
    step('eth_getTransactionReceipt', saved('rolled back')),
    step('evm_mine'),
    tagged('after a revert', step('eth_getBlockByNumber', 'latest', false)),
    step('anvil_setNextBlockBaseFeePerGas', numberToHex(GWEI)),
  ];
}

/** @param {World} world @returns {Step[]} */
export function time(world) {
  const [alice, bob] = world.accounts;
  const now = contextCall(world, 'getCurrentBlockTimestamp');
  const pay = { from: alice, to: bob, value: '0x1' };
  return [
    tagged('moved clock', step('evm_increaseTime', 100)),
    step('evm_setNextBlockTimestamp', 1_800_000_000),
    step('evm_mine'),
    step('eth_call', now, 'latest'),
    step('eth_getBlockByNumber', 'latest', false),
    ...send('later', pay),
    step('anvil_setBlockTimestampInterval', 100),
    ...send('a hundred later', pay),
    step('eth_call', now, 'latest'),
    step('anvil_mine', '0x3'),
    step('eth_blockNumber'),
    step('eth_getBlockByNumber', 'latest', false),
    step('anvil_setBlockTimestampInterval', 12),
  ];
}

/** @param {World} world @returns {Step[]} */
export function state({ accounts, apple, pair, wrapped }) {
  const [alice, bob] = accounts;
  const slot = (/** @type {bigint} */ index) => numberToHex(index, { size: 32 });
  return [
    step('anvil_setBalance', STRANGER, numberToHex(5n * ETHER)),
    step('eth_getBalance', STRANGER, 'latest'),
    step('hardhat_setStorageAt', apple.address, slot(0n), slot(77n)),
    step('eth_call', callOf(apple, 'totalSupply'), 'latest'),
    step('anvil_setStorageAt', pair.address, slot(8n), slot(0n)),
    step('eth_call', callOf(pair, 'getReserves'), 'latest'),
    step('anvil_setCode', STRANGER, '0x602a5f5260205ff3'),
    step('eth_call', { to: STRANGER, data: '0x' }, 'latest'),
    step('hardhat_setNonce', STRANGER, '0x10'),
    step('eth_getTransactionCount', STRANGER, 'latest'),
    step('anvil_dealERC20', STRANGER, apple.address, numberToHex(9n * ETHER)),
    step('eth_call', callOf(apple, 'balanceOf', STRANGER), 'latest'),
    step('anvil_dealERC20', STRANGER, wrapped.address, '0x77'),
    step('eth_call', callOf(wrapped, 'balanceOf', STRANGER), 'latest'),
    step('anvil_setERC20Allowance', alice, STRANGER, apple.address, '0x78'),
    step('eth_call', callOf(apple, 'allowance', alice, STRANGER), 'latest'),
    step('anvil_addBalance', STRANGER, '0x5'),
    step('eth_getBalance', STRANGER, 'latest'),
    step('anvil_setNextBlockBaseFeePerGas', numberToHex(5n * GWEI)),
    ...send('at 5 gwei', { from: alice, to: bob, value: '0x1' }),
    step('evm_setAutomine', false),
    ...[1, 2, 3].map((value) => ({
      ...step('eth_sendTransaction', {
        from: alice,
        to: bob,
        value: numberToHex(value),
        gas: '0x5208',
        gasPrice: numberToHex(6n * GWEI),
      }),
      saves: `pending ${value}`,
    })),
    step('txpool_status'),
    step('txpool_inspect'),
    tagged('pending pool', step('txpool_content')),
    step('eth_getTransactionCount', alice, 'pending'),
    step('eth_getTransactionByHash', saved('pending 2')),
    step('eth_getTransactionReceipt', saved('pending 2')),
    step('anvil_dropTransaction', saved('pending 3')),
    step('evm_mine'),
    step('evm_setAutomine', true),
    ...[1, 2, 3].map((value) => step('eth_getTransactionReceipt', saved(`pending ${value}`))),
    step('eth_getBlockByNumber', 'latest', false),
    step('eth_getBlockReceipts', 'latest'),
  ];
}

/**
 * Forks the same remote chain at an earlier block, and again at the first one.
 *
 * @param {World} world
 * @param {string} jsonRpcUrl
 * @returns {Step[]}
 */
export function resets({ accounts, number, apple, account, hashes }, jsonRpcUrl) {
  const [alice, bob] = accounts;
  const earlier = number - 5;
  return [
    step('hardhat_reset', { forking: { jsonRpcUrl, blockNumber: earlier } }),
    step('eth_blockNumber'),
    step('eth_getBlockByNumber', 'latest', false),
    step('eth_call', callOf(apple, 'balanceOf', WHALE), 'latest'),
    step('eth_getCode', account.address, 'latest'),
    tagged('after the fork', step('eth_getTransactionByHash', hashes.at(-1))),
    step('eth_getTransactionReceipt', saved('swap 3')),
    step('anvil_setBlockTimestampInterval', 12),
    ...send('after a reset', { from: alice, ...callOf(apple, 'transfer', bob, 9n) }),
    step('eth_getLogs', { fromBlock: numberToHex(earlier - 1), toBlock: 'latest' }),
    step('anvil_reset', { forking: { jsonRpcUrl, blockNumber: number } }),
    step('eth_blockNumber'),
    step('eth_call', callOf(apple, 'balanceOf', WHALE), 'latest'),
    step('eth_getTransactionCount', alice, 'latest'),
    step('anvil_setBlockTimestampInterval', 12),
    ...send('after another', { from: alice, to: bob, value: '0x1' }),
    step('hardhat_reset'),
    tagged('reset without forking', step('eth_blockNumber')),
  ];
}
