/** Steps about blocks, transactions, logs and traces on both sides of the fork. */

import { encodeEventTopics, numberToHex, pad } from 'viem';
import { failing, own, saved, step, tagged } from '../step.js';
import { WHALE } from '../world.js';
import { callOf, GAS } from './messages.js';

const UNKNOWN = `0x${'12'.repeat(32)}`;

/** @typedef {import('../world.js').World} World */
/** @typedef {import('../../differential/random.js').Random} Random */
/** @typedef {import('../step.js').Step} Step */

/** The remote chain up to the fork. @param {World} world @param {Random} random @returns {Step[]} */
export function remoteHistory(world, random) {
  const { number, hashes, blockHashes } = world;
  const [headHash, earlierHash] = [blockHashes[number], blockHashes[number - 4]];
  const block = numberToHex(1 + random.below(number));
  const head = numberToHex(number);
  const some = [hashes[0], random.pick(hashes), hashes.at(-1)];
  return [
    ...['earliest', block, head].map((name) => step('eth_getBlockByNumber', name, false)),
    step('eth_getBlockByNumber', numberToHex(number - 1), true),
    step('eth_getBlockByNumber', numberToHex(number + 1_000), false),
    ...[headHash, earlierHash, UNKNOWN].map((hash) => step('eth_getBlockByHash', hash, true)),
    ...some.map((hash) => step('eth_getTransactionByHash', hash)),
    ...some.map((hash) => step('eth_getTransactionReceipt', hash)),
    ...['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => step(method, UNKNOWN)),
    step('eth_getBlockReceipts', numberToHex(number - 1)),
    step('eth_getBlockTransactionCountByNumber', block),
    step('eth_getBlockTransactionCountByHash', earlierHash),
    step('eth_getTransactionByBlockNumberAndIndex', numberToHex(number - 1), '0x0'),
    step('eth_getTransactionByBlockHashAndIndex', earlierHash, '0x0'),
    step('eth_getUncleCountByBlockNumber', head),
    step('eth_getBalance', WHALE, { blockHash: earlierHash }),
    step('eth_call', callOf(world.apple, 'totalSupply'), { blockNumber: numberToHex(number - 1) }),
    step('eth_feeHistory', '0x4', head, [10, 50]),
    step('eth_getTransactionBySenderAndNonce', world.accounts[0], '0x10'),
    step('debug_getRawTransaction', hashes[3]),
    step('eth_getRawTransactionByHash', hashes[4]),
    step('eth_getRawTransactionByBlockNumberAndIndex', block, '0x0'),
    step('eth_getRawTransactionByBlockHashAndIndex', earlierHash, '0x0'),
    step('trace_filter', { fromBlock: numberToHex(number - 3), toBlock: head }),
  ];
}

/** Logs of ranges that end, begin or cross at the fork. @param {World} world @returns {Step[]} */
export function logs({ number, apple, pear, artifacts, accounts }) {
  const [transfer, swap] = [
    encodeEventTopics({ abi: artifacts.token.abi, eventName: 'Transfer' })[0],
    encodeEventTopics({ abi: artifacts.pair.abi, eventName: 'Swap' })[0],
  ];
  const at = (/** @type {number} */ distance) => numberToHex(number + distance);
  const criteria = [
    { fromBlock: at(-10), toBlock: 'latest', topics: [swap] },
    { fromBlock: at(-3), toBlock: at(3) },
    { fromBlock: at(0), toBlock: at(1) },
    { fromBlock: at(1), toBlock: 'latest', address: apple.address },
    { fromBlock: '0x0', toBlock: at(-30), address: [pear.address], topics: [transfer] },
    { fromBlock: at(-6), topics: [null, null, pad(WHALE)] },
    { fromBlock: at(-6), toBlock: 'latest', topics: [[transfer, swap], pad(accounts[0])] },
    { fromBlock: 'earliest', toBlock: 'latest', address: apple.address, topics: [transfer, pad(WHALE)] },
    { fromBlock: at(-40), toBlock: 'latest', address: apple.address },
  ];
  return [
    ...criteria.map((filter) => step('eth_getLogs', filter)),
    tagged('no range', failing('eth_getLogs', { fromBlock: at(1), toBlock: at(0) })),
    own('all logs', 'eth_newFilter', { fromBlock: at(-10), address: [apple.address, pear.address] }),
    step('eth_getFilterLogs', saved('all logs')),
    own('some logs', 'eth_newFilter', { fromBlock: at(-20), toBlock: at(-1), topics: [swap] }),
    step('eth_getFilterLogs', saved('some logs')),
    step('eth_uninstallFilter', saved('some logs')),
    tagged('beyond the head', failing('eth_getLogs', { fromBlock: at(1), toBlock: at(1_000) })),
    step('trace_filter', { fromBlock: at(-2), toBlock: at(4) }),
    step('eth_feeHistory', '0x6', 'latest', [10, 50]),
    tagged('across the fork', step('eth_feeHistory', '0x6', at(3), [10, 50])),
  ];
}

/** Traces of local and remote transactions, and of calls. @param {World} world @returns {Step[]} */
export function traces(world) {
  const { number, hashes, accounts, router, apple, pear } = world;
  const [alice, bob] = accounts;
  const call = {
    from: alice,
    gas: GAS,
    ...callOf(router, 'getAmountsOut', 10n ** 18n, [apple.address, pear.address]),
  };
  const tracers = [
    { tracer: 'callTracer' },
    { tracer: 'callTracer', tracerConfig: { withLog: true } },
    { tracer: 'prestateTracer' },
    { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    { tracer: '4byteTracer' },
    {},
  ];
  return [
    ...['swap 2', 'swap 3', 'operation', 'fails'].flatMap((name) =>
      tracers.map((config) => step('debug_traceTransaction', saved(name), config)),
    ),
    ...['swap 2', 'swap 3', 'deposit', 'fails'].map((name) => step('trace_transaction', saved(name))),
    // Another transaction for each tracer: anvil caches the first trace by the hash alone, and returns it for others.
    ...[tracers[0], tracers[2], {}].map((config, index) =>
      step('debug_traceTransaction', hashes.at(-2 - index), config),
    ),
    step('trace_transaction', hashes.at(-2)),
    ...[tracers[0], tracers[2], {}].map((config) => step('debug_traceCall', call, 'latest', config)),
    step(
      'debug_traceCall',
      { from: WHALE, gas: GAS, ...callOf(apple, 'transfer', bob, 1n) },
      numberToHex(number),
      tracers[0],
    ),
    step('debug_traceCall', call, numberToHex(number + 9), tracers[0]),
    step('debug_getRawTransaction', saved('swap 3')),
    step('trace_block', numberToHex(number - 1)),
    step('trace_block', numberToHex(number + 6)),
    step('debug_traceBlockByNumber', numberToHex(number + 6), tracers[0]),
    step('debug_traceBlockByNumber', numberToHex(number - 1), tracers[0]),
  ];
}
