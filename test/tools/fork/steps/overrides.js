/** Steps that run calls with overrides of the state and the block, and calls that return parts of the block. */

import { numberToHex } from 'viem';
import { failing, step, tagged } from '../step.js';
import { WHALE } from '../world.js';
import { callOf, contextCall, ETHER, STRANGER } from './messages.js';

/** Returns the coinbase, PREVRANDAO, the base fees, the gas limit, the time and the number of its block. */
const CONTEXT = '0x415f5244602052486040524a606052456080524260a0524360c05260e05ff3';
/** Returns the word 42. */
const ANSWER = '0x602a5f5260205ff3';

/** @param {bigint} index */
const word = (index) => numberToHex(index, { size: 32 });

/** @param {import('../world.js').World} world */
export function overrides(world) {
  const { accounts, apple, wrapped, pair, router, pear } = world;
  const [alice] = accounts;
  const balance = numberToHex(2n * ETHER);
  const supply = callOf(apple, 'totalSupply');
  const amounts = callOf(router, 'getAmountsOut', ETHER, [apple.address, pear.address]);
  const pay = { from: STRANGER, to: alice, value: numberToHex(ETHER) };
  const withdraw = { from: alice, ...callOf(wrapped, 'withdraw', ETHER) };
  // Reserves of one and two tokens.
  const reserves = { [word(8n)]: word((ETHER << 112n) + 2n * ETHER) };
  const latest = (/** @type {object} */ call, /** @type {unknown[]} */ ...given) =>
    step('eth_call', call, 'latest', ...given);
  return [
    latest(supply, { [apple.address]: { stateDiff: { [word(0n)]: word(7n) } } }),
    latest(supply, { [apple.address]: { state: {} } }),
    latest(supply, { [apple.address]: { code: ANSWER } }),
    latest(amounts, { [pair.address]: { stateDiff: reserves } }),
    latest(pay, { [STRANGER]: { balance } }),
    latest(withdraw, { [alice]: { nonce: '0x40' } }),
    latest({ to: STRANGER, data: '0x' }, { [STRANGER]: { code: ANSWER } }),
    failing('eth_call', withdraw, 'latest', { [wrapped.address]: { balance: '0x0' } }),
    step('eth_estimateGas', pay, 'latest', { [STRANGER]: { balance } }),
    latest(contextCall(world, 'getCurrentBlockTimestamp'), {}, { time: '0x70000000' }),
    latest(contextCall(world, 'getBlockNumber'), {}, { number: '0x1000' }),
    latest(contextCall(world, 'getCurrentBlockCoinbase'), {}, { feeRecipient: STRANGER }),
    latest(contextCall(world, 'getCurrentBlockGasLimit'), {}, { gasLimit: '0x1000000' }),
    ...['getBlockNumber', 'getCurrentBlockTimestamp', 'getChainId', 'getLastBlockHash'].map((name) =>
      latest(contextCall(world, name)),
    ),
    tagged('BASEFEE', latest(contextCall(world, 'getBasefee'))),
    tagged('context', latest({ data: CONTEXT, from: alice, gasPrice: '0x77359400' })),
    ...[0, 1, 5, 60].map((back) => latest(contextCall(world, 'getBlockHash', BigInt(world.number - back)))),
    latest(contextCall(world, 'getEthBalance', WHALE)),
  ];
}
