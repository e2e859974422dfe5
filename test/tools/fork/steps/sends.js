/** Steps that send transactions of funded keys. */

import { numberToHex } from 'viem';
import { creationOf } from '../contracts.js';
import { failing, own, saved, send, step, tagged } from '../step.js';
import { DEADLINE, POOL_FEE } from '../world.js';
import {
  amountOf,
  callOf,
  ETHER,
  GAS,
  handleOperation,
  STRANGER,
  swapInPair,
  swapInPool,
} from './messages.js';

const RECEIVER = `0x${'ab'.repeat(20)}`;

/**
 * @param {import('../world.js').World} world
 * @param {import('../../differential/random.js').Random} random
 * @returns {import('../step.js').Step[]}
 */
export function sends(world, random) {
  const amount = amountOf(random);
  const { accounts, apple } = world;
  const [alice, bob] = accounts;
  const value = numberToHex(amount);
  return [
    own('logs', 'eth_newFilter', { address: apple.address }),
    own('blocks', 'eth_newBlockFilter'),
    ...send('pay', { from: alice, to: bob, value }),
    // The node chooses its gas and fees.
    ...send('filled in', { from: alice, ...callOf(apple, 'transfer', bob, amount) }, { isOwn: true }),
    ...send('new account', { from: alice, to: RECEIVER, value }),
    ...send('transfer', { from: alice, ...callOf(apple, 'transfer', random.pick(world.holders), amount) }),
    ...ofContracts(world, amount),
    ...outcomes(world),
    step('eth_getTransactionByHash', saved('swap 3')),
    step('eth_getTransactionByHash', saved('filled in')),
    step('eth_getBlockByNumber', 'latest', true),
    step('eth_getBlockByNumber', 'latest', false),
    failing('eth_sendTransaction', { from: STRANGER, to: bob, value: '0x1' }),
    step('eth_getFilterChanges', saved('logs')),
    step('eth_getFilterChanges', saved('blocks')),
    step('eth_getFilterChanges', saved('blocks')),
  ];
}

/** @param {import('../world.js').World} world @param {bigint} amount */
function ofContracts(world, amount) {
  const { accounts, apple, pear, wrapped, minted, taxed, proxy, proxyAdmin, router, positions } = world;
  const [alice, bob, carol] = accounts;
  const [fromAlice, fromCarol] = [alice, carol].map((from) => ({ from, gas: GAS }));
  const bought = callOf(router, 'swapExactETHForTokens', 0n, [wrapped.address, pear.address], bob, DEADLINE);
  const position = {
    ...{ token0: apple.address, token1: pear.address, fee: POOL_FEE, tickLower: -60, tickUpper: 60 },
    ...{ amount0Desired: ETHER, amount1Desired: ETHER, amount0Min: 0n, amount1Min: 0n },
    ...{ recipient: alice, deadline: DEADLINE },
  };
  const upgrade = callOf(proxyAdmin, 'upgradeAndCall', proxy.address, world.implementations[1], '0x');
  const approve = callOf(apple, 'approve', bob, amount);
  const accessList = [{ address: apple.address, storageKeys: [`0x${'00'.repeat(32)}`] }];
  return [
    ...send('taxed', { ...fromAlice, ...callOf(taxed, 'transfer', bob, amount) }),
    ...send('minted', { ...fromAlice, ...callOf(minted, 'mint', bob, amount) }),
    ...send('swap 2', swapInPair(world, amount)),
    ...send('swap ether', { from: bob, gas: GAS, value: numberToHex(amount), ...bought }),
    ...send('swap 3', swapInPool(world, amount)),
    ...send('position', { ...fromAlice, ...callOf(positions, 'mint', position) }),
    ...send('deposit', { ...fromCarol, value: '0x5', ...callOf(proxy, 'deposit') }),
    ...send('operation', handleOperation(world, world.operations.next)),
    ...send('create', { ...fromCarol, data: creationOf(world.artifacts.token, amount) }),
    ...send('sweep', { ...fromCarol, ...world.sweepSlots }),
    ...send('fails', { ...fromCarol, ...callOf(apple, 'transfer', bob, ETHER) }, { status: '0x0' }),
    ...send('runs out of gas', { from: alice, gas: '0x7530', ...approve }, { status: '0x0' }),
    ...send('access list', { ...fromAlice, ...approve, gasPrice: numberToHex(10n ** 9n), accessList }),
    ...send('upgrade', { ...fromAlice, ...upgrade }),
  ];
}

/** @param {import('../world.js').World} world */
function outcomes({ accounts, apple, proxy, pair, pool, account, number }) {
  const [alice, bob, carol] = accounts;
  const calls = [
    ...[callOf(apple, 'balanceOf', bob), callOf(proxy, 'totalSupply'), callOf(pair, 'getReserves')],
    ...[callOf(pool, 'slot0'), callOf(account, 'getNonce')],
  ];
  return [
    ...calls.map((call) => step('eth_call', call, 'latest')),
    ...[alice, bob, carol, RECEIVER].map((address) => step('eth_getBalance', address, 'latest')),
    ...[alice, bob].map((address) => step('eth_getTransactionCount', address, 'latest')),
    ...[0, 1, 2, 7].map((blocks) => step('eth_getBalance', bob, numberToHex(number + blocks))),
    ...[0, 2, 4].map((blocks) => step('eth_call', calls[0], numberToHex(number + blocks))),
    step('eth_getAccountInfo', apple.address, 'latest'),
    tagged('finality', step('eth_getBalance', bob, 'finalized')),
  ];
}
