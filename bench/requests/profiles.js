/**
 * Measures the reads of `/ethereum` beside those of `/`, from the body of a request to the text of its response. See
 * ../README.md for the flags.
 */

import { DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM, startTestNode } from '../../dist/node/index.js';
import { createDispatcher } from '../../dist/rpc/index.js';
import { readFlags } from '../harness/flags.js';
import { load, machine, print, quantile, showMicroseconds, table } from '../harness/report.js';
import { inTurn, measured } from '../harness/rounds.js';

const flags = readFlags({ rounds: 25, calls: 10_000, only: '' });

/** @typedef {'ledger' | 'ethereum'} Profile */
/** @type {readonly Profile[]} */
const PROFILES = ['ledger', 'ethereum'];
const WARM_UP_ROUNDS = 5;
/** Least ratio of the rate of `/ethereum` to that of `/`. */
const GOAL = 0.95;
/** Bodies that differ, as those of a client do. */
const BODIES = 64;
const BLOCKS = 30;
const NATIVE = '0x0000000000000000000000000000000000000400';
const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
const NO_PAUSES = { ...DEFAULT_CONFIGURATION.rpc, timeSliceMsMax: Number.POSITIVE_INFINITY };

const node = await startTestNode({
  ...{ ...DEFAULT_CONFIGURATION, rpc: NO_PAUSES, port: 0 },
  ...{ network: 'local', ethereum: DEFAULT_ETHEREUM },
});
const { ledger, wallet, ethereumWallet } = node;
const dispatcher = createDispatcher({
  ...{ ledger, wallet, keys: ethereumWallet, version: '1.0.0', limits: NO_PAUSES },
});
// As a connection of the server is: the same for all its requests.
const caller = { client: 'bench' };

/**
 * @param {Profile} profile
 * @param {string} method
 * @param {readonly unknown[]} params
 * @returns {Promise<any>}
 */
async function ask(profile, method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { result, error } = JSON.parse(String(await node.dispatcher.handle(body, caller, profile)));
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Blocks of both kinds of transactions. */
async function fillChain() {
  const keys = await ask('ethereum', 'eth_accounts');
  const [native] = await ask('ledger', 'eth_accounts');
  for (let block = 0; block < BLOCKS; block += 1) {
    await ask('ethereum', 'eth_sendTransaction', {
      from: keys[block % keys.length],
      to: keys[0],
      value: '0x1',
    });
    await ask('ledger', 'eth_sendTransaction', { from: native, to: NATIVE, value: '0x1', gas: '0x5208' });
  }
  return keys;
}

const keys = await fillChain();
/** @param {Profile} profile */
const hashOf = async (profile) =>
  (await ask(profile, 'eth_getBlockByNumber', 'latest', false)).transactions[0];
const hashes = { ledger: await hashOf('ledger'), ethereum: await hashOf('ethereum') };
const blockHash = (await ask('ledger', 'eth_getBlockByNumber', 'latest', false)).hash;
const slot = `0x${'0'.repeat(64)}`;

/** @type {readonly (readonly [name: string, method: string, params: (id: number, profile: Profile) => unknown[]])[]} */
const READS = [
  ['`eth_blockNumber`', 'eth_blockNumber', () => []],
  ['`eth_chainId`', 'eth_chainId', () => []],
  ['`eth_gasPrice`', 'eth_gasPrice', () => []],
  ['`eth_maxPriorityFeePerGas`', 'eth_maxPriorityFeePerGas', () => []],
  ['`net_version`', 'net_version', () => []],
  ['`eth_getBalance` of a key', 'eth_getBalance', (id) => [keys[id % keys.length], 'latest']],
  ['`eth_getBalance` of a native account', 'eth_getBalance', () => [NATIVE, 'latest']],
  [
    '`eth_getTransactionCount` of a key',
    'eth_getTransactionCount',
    (id) => [keys[id % keys.length], 'latest'],
  ],
  ['`eth_getTransactionCount` of a native account', 'eth_getTransactionCount', () => [NATIVE, 'latest']],
  ['`eth_getCode`', 'eth_getCode', () => [MULTICALL, 'latest']],
  ['`eth_getStorageAt`', 'eth_getStorageAt', () => [MULTICALL, slot, 'latest']],
  ['`eth_feeHistory` of 10 blocks', 'eth_feeHistory', () => ['0xa', 'latest', [20]]],
  ['`eth_call`', 'eth_call', () => [{ to: MULTICALL, data: '0x42cbb15c' }, 'latest']],
  ['`eth_getBlockByNumber`', 'eth_getBlockByNumber', () => ['latest', false]],
  ['`eth_getBlockByNumber`, transactions', 'eth_getBlockByNumber', () => ['latest', true]],
  ['`eth_getBlockByHash`', 'eth_getBlockByHash', () => [blockHash, false]],
  ['`eth_getTransactionByHash`', 'eth_getTransactionByHash', (_, profile) => [hashes[profile]]],
  ['`eth_getTransactionReceipt`', 'eth_getTransactionReceipt', (_, profile) => [hashes[profile]]],
  ['`eth_getBlockReceipts`', 'eth_getBlockReceipts', () => ['latest']],
  ['`eth_getLogs`', 'eth_getLogs', () => [{ fromBlock: 'latest' }]],
];

/** @param {Buffer[]} bodies @param {Profile} profile */
function costOf(bodies, profile) {
  const { taken } = measured(() => {
    let characters = 0;
    for (let call = 0; call < flags.calls; call += 1) {
      const response = dispatcher.handle(bodies[call % BODIES] ?? Buffer.alloc(0), caller, profile);
      // A synchronous response is a text.
      characters += String(response).length;
    }
    if (characters === 0) throw new Error('there was no response');
  });
  return (1_000 * taken.processorMs) / flags.calls;
}

const rows = [['read', '`/`', '`/ethereum`', '×', 'least `/`', 'least `/ethereum`', '×', 'goal']];
print(`${machine()}, load ${load()}\n`);
for (const [name, method, paramsOf] of READS.filter(([title]) => title.includes(flags.only))) {
  const bodiesOf = (/** @type {Profile} */ profile) =>
    Array.from({ length: BODIES }, (_, id) =>
      Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params: paramsOf(id, profile) })),
    );
  const bodies = { ledger: bodiesOf('ledger'), ethereum: bodiesOf('ethereum') };
  for (const profile of PROFILES) await ask(profile, method, ...paramsOf(0, profile));
  /** @type {Record<Profile, number[]>} */
  const costs = { ledger: [], ethereum: [] };
  /** @type {number[]} */
  const ratios = [];
  for (let round = -WARM_UP_ROUNDS; round < flags.rounds; round += 1) {
    const cost = { ledger: 0, ethereum: 0 };
    for (const profile of inTurn(PROFILES, round)) cost[profile] = costOf(bodies[profile], profile);
    if (round < 0) continue;
    for (const profile of PROFILES) costs[profile].push(cost[profile]);
    ratios.push(cost.ledger / cost.ethereum);
  }
  const median = quantile(ratios, 0.5);
  const [own, others] = [quantile(costs.ledger, 0), quantile(costs.ethereum, 0)];
  rows.push([
    name,
    ...PROFILES.map((profile) => showMicroseconds(quantile(costs[profile], 0.5))),
    median.toFixed(2),
    ...[own, others].map(showMicroseconds),
    (own / others).toFixed(2),
    Math.max(median, own / others) >= GOAL ? 'met' : '**missed**',
  ]);
}
print(table(rows));
await node.close();
