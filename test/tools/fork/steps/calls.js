/** Steps that run calls and estimates. */

import { numberToHex } from 'viem';
import { creationOf } from '../contracts.js';
import { failing, step, tagged } from '../step.js';
import { aggregate, POOL_FEE, WHALE } from '../world.js';
import { amountOf, callOf, ETHER, handleOperation, STRANGER, swapInPair, swapInPool } from './messages.js';

/** @typedef {import('../world.js').World} World */
/** @typedef {import('../../differential/random.js').Random} Random */

/** Calls that succeed. @param {World} world @param {Random} random */
export function calls(world, random) {
  const { accounts, apple, pear, wrapped, router, quoter, multicall, proxy, sweepSlots, operations } = world;
  const [, bob] = accounts;
  const amount = amountOf(random);
  const callData = callOf(apple, 'balanceOf', random.pick(world.holders)).data;
  const balances = Array.from({ length: 50 }, () => ({
    target: apple.address,
    allowFailure: true,
    callData,
  }));
  const quote = { tokenIn: apple.address, tokenOut: pear.address, amountIn: amount };
  const messages = [
    ...views(world),
    callOf(router, 'getAmountsOut', amount, [apple.address, pear.address, wrapped.address]),
    callOf(quoter, 'quoteExactInputSingle', { ...quote, fee: POOL_FEE, sqrtPriceLimitX96: 0n }),
    { to: multicall, data: aggregate(balances) },
    {
      to: multicall,
      data: aggregate([{ target: proxy.address, allowFailure: true, callData: '0x12345678' }]),
    },
    sweepSlots,
    { from: WHALE, to: bob, value: '0x1' },
    { from: WHALE, ...callOf(apple, 'transfer', bob, amount) },
    ...[swapInPair(world, amount), swapInPool(world, amount), handleOperation(world, operations.next)],
    { data: creationOf(world.artifacts.wrapped) },
  ];
  return messages.map((message) => step('eth_call', message, 'latest'));
}

/** @param {World} world */
function views({ accounts, apple, minted, taxed, wrapped, proxy, proxyAdmin, pair, pool, ...others }) {
  const { positions, entryPoint, account } = others;
  const [alice] = accounts;
  return [
    ...[callOf(apple, 'totalSupply'), callOf(minted, 'symbol'), callOf(minted, 'paused')],
    ...[callOf(apple, 'balanceOf', WHALE), callOf(taxed, 'balanceOf', alice), callOf(wrapped, 'name')],
    ...[callOf(proxy, 'balanceOf', alice), callOf(proxyAdmin, 'owner'), callOf(pair, 'getReserves')],
    ...[callOf(pool, 'slot0'), callOf(pool, 'liquidity'), callOf(positions, 'positions', 1n)],
    ...[callOf(positions, 'tokenOfOwnerByIndex', alice, 0n), callOf(account, 'getNonce')],
    ...[
      callOf(entryPoint, 'balanceOf', account.address),
      callOf(entryPoint, 'getNonce', account.address, 0n),
    ],
    ...[callOf(account, 'owner'), callOf(account, 'getDeposit')],
  ];
}

/** Calls that revert, and calls that cannot run. @param {World} world */
export function reverts(world) {
  const { accounts, apple, minted, proxyAdmin, proxy, swaps, operations, positions } = world;
  const [alice, bob] = accounts;
  const noPath = { path: '0x', recipient: bob, deadline: 2n ** 40n, amountIn: 1n, amountOutMinimum: 0n };
  const messages = [
    { from: STRANGER, ...callOf(apple, 'transfer', bob, 1n) },
    { from: STRANGER, ...callOf(minted, 'mint', bob, 1n) },
    { from: STRANGER, ...callOf(proxyAdmin, 'upgradeAndCall', proxy.address, apple.address, '0x') },
    swapInPair(world, ETHER, { least: 100n * ETHER }),
    swapInPair(world, ETHER, { deadline: 1n }),
    { from: STRANGER, ...callOf(swaps, 'exactInput', noPath) },
    { from: bob, ...callOf(positions, 'burn', 1n) },
    handleOperation(world, operations.stranger),
    { from: alice, to: apple.address, data: '0x12345678' },
  ];
  return [
    ...messages.map((message) => failing('eth_call', message, 'latest')),
    ...messages.slice(0, 4).map((message) => failing('eth_estimateGas', message, 'latest')),
    failing('eth_call', { from: STRANGER, to: bob, value: '0x1' }, 'latest'),
    tagged('no funds', failing('eth_estimateGas', { from: STRANGER, to: bob, value: '0x1' }, 'latest')),
    failing('eth_call', { ...callOf(apple, 'totalSupply'), gas: '0x5300' }, 'latest'),
    failing('eth_call', { to: apple.address, data: '0x123' }, 'latest'),
  ];
}

/** @param {World} world @param {Random} random */
export function estimates(world, random) {
  const { accounts, apple, wrapped, proxy, positions, operations, artifacts, sweepSlots } = world;
  const [alice, bob] = accounts;
  const amount = amountOf(random);
  const fees = { tokenId: 1n, recipient: alice, amount0Max: 2n ** 100n, amount1Max: 2n ** 100n };
  const transfer = { from: alice, ...callOf(apple, 'transfer', random.pick(world.holders), amount) };
  const swap = swapInPair(world, amount);
  const at = (/** @type {number} */ distance) => numberToHex(world.number + distance);
  const messages = [
    { from: alice, to: bob, value: numberToHex(amount) },
    transfer,
    { from: alice, ...callOf(apple, 'transfer', STRANGER, amount) },
    { from: alice, ...callOf(apple, 'approve', bob, amount) },
    { from: alice, ...callOf(proxy, 'deposit'), value: '0x1' },
    { from: alice, ...callOf(wrapped, 'withdraw', amount) },
    ...[swap, swapInPool(world, amount), handleOperation(world, operations.next)],
    { from: alice, ...callOf(positions, 'collect', fees) },
    { from: alice, data: creationOf(artifacts.wrapped) },
  ];
  return [
    ...messages.map((message) => step('eth_estimateGas', message, 'latest')),
    tagged('inner calls may fail', step('eth_estimateGas', sweepSlots, 'latest')),
    ...[transfer, swap].map((message) => step('eth_createAccessList', message, 'latest')),
    ...['pending', at(0), at(-1)].map((block) => step('eth_estimateGas', transfer, block)),
    ...[at(0), at(-1)].map((block) => step('eth_createAccessList', transfer, block)),
  ];
}
