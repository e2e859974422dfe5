/** Costly requests of clients that control a test chain, and of web pages. */

import { gzipSync } from 'node:zlib';
import { call, request, requestOf } from '../../test/rpc-client.js';
import { keepConnected, repeat } from './client.js';
import { bare } from './http-attacks.js';

const FURTHER_CHAINS = 64;
const DUMPED_ACCOUNTS = 250_000;
const DUMPED_SLOTS = 249_999;
const LOGGING_TRANSACTIONS = 20;
const SNAPSHOTS = 300;
const PENDING = 1_000;
const PENDING_DATA = `0x${'01'.repeat(2_000)}`;
const BLOCKS = 1_000;
const GAS = '0xffffff';

/** Init code of a contract that writes logs with one topic until 2,048 gas are left. */
const LOG_WRITER = '0x6013600a5f3960135ff35b60a15f5fa160a15f5fa16108005a115f5700';

/**
 * @typedef {import('./client.js').Target} Target
 * @typedef {object} ChainAttack
 * @property {(url: string) => Promise<unknown>} [prepare] brings a node into the state to attack
 * @property {(target: Target, onRound: () => void) => unknown} attack goes on until its process is killed, and tells
 *   when its first round is over
 */

/**
 * An attack that repeats an action.
 *
 * @param {(url: string) => Promise<unknown>} act
 * @returns {ChainAttack['attack']}
 */
function rounds(act) {
  return async ({ port }, onRound) => {
    for (;;) {
      await act(`http://127.0.0.1:${port}`);
      onRound();
    }
  };
}

/** @param {boolean} isValid false if the last account has no number as its balance */
function dumpOf(isValid) {
  const address = (/** @type {number} */ index) =>
    `0x${(0xf00000000000 + index).toString(16).padStart(40, '0')}`;
  const slots = Array.from({ length: DUMPED_SLOTS }, (_, index) => [`0x${index.toString(16)}`, '0x1']);
  /** @type {Record<string, object>} */
  const accounts = { [address(0)]: { balance: '0x5', storage: Object.fromEntries(slots) } };
  for (let index = 1; index < DUMPED_ACCOUNTS; index += 1) accounts[address(index)] = { balance: '0x5' };
  accounts[address(DUMPED_ACCOUNTS)] = { balance: isValid ? '0x5' : 'none' };
  return `0x${gzipSync(JSON.stringify({ accounts, block: { number: '0x7' } })).toString('hex')}`;
}

/** @param {boolean} isValid */
function loading(isValid) {
  /** @type {string | undefined} */
  let dump;
  return rounds((url) => {
    dump ??= dumpOf(isValid);
    return request(`${url}/chain/1`, 'anvil_loadState', dump);
  });
}

/** @type {Readonly<Record<string, ChainAttack>>} */
export const CHAIN_ATTACKS = {
  'cross-site preflights and reads of 64 further chains': {
    attack: (target, onRound) => {
      const foreign = ['Origin: https://example.org', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors'];
      for (let chain = 1; chain <= FURTHER_CHAINS; chain += 1) {
        const preflight = bare(`OPTIONS /chain/${chain}`, [
          ...foreign,
          'Access-Control-Request-Method: POST',
        ]);
        const requests = preflight + bare(`GET /chain/${chain}/health`, foreign);
        keepConnected(target, 10, (socket) => {
          socket.on('data', () => socket.write(requests));
          socket.write(requests);
        });
      }
      onRound();
    },
  },
  'dumps of 500,000 accounts and slots on another chain': { attack: loading(true) },
  'such dumps whose last account is invalid': { attack: loading(false) },
  'searches of transactions with 19,000 logs each': {
    prepare: async (url) => {
      const [from] = await call(url, 'eth_accounts');
      const creation = await call(url, 'eth_sendTransaction', { from, data: LOG_WRITER });
      const { contractAddress: to } = await call(url, 'eth_getTransactionReceipt', creation);
      await call(url, 'evm_setAutomine', false);
      let last = '';
      for (let count = 0; count < LOGGING_TRANSACTIONS; count += 1) {
        last = await call(url, 'eth_sendTransaction', { from, to, gas: GAS });
      }
      do await call(url, 'evm_mine');
      while ((await call(url, 'eth_getTransactionReceipt', last)) === null);
      // The store writes its last blocks, whose logs are many, at the first search.
      await request(url, 'ots_searchTransactionsBefore', from, 0, 25);
    },
    attack: async (target, onRound) => {
      const [from] = await call(`http://127.0.0.1:${target.port}`, 'eth_accounts');
      repeat(target, 8, () => requestOf('ots_searchTransactionsBefore', from, 0, 25));
      onRound();
    },
  },
  '300 snapshots of 1,000 pending transactions of 2 kB, and a revert': {
    prepare: async (url) => {
      const [from, to] = await call(url, 'eth_accounts');
      await call(url, 'evm_setAutomine', false);
      for (let count = 0; count < PENDING; count += 1) {
        await call(url, 'eth_sendTransaction', { from, to, data: PENDING_DATA, gas: '0x20000' });
      }
    },
    attack: rounds(async (url) => {
      const first = await call(url, 'evm_snapshot');
      for (let count = 1; count < SNAPSHOTS; count += 1) await call(url, 'evm_snapshot');
      await call(url, 'evm_revert', first);
    }),
  },
  'anvil_reorg of 1,000 blocks with 1,000 transactions': {
    prepare: (url) => call(url, 'hardhat_mine', `0x${BLOCKS.toString(16)}`),
    attack: rounds(async (url) => {
      const [from, to] = await call(url, 'eth_accounts');
      const transactions = Array.from({ length: BLOCKS }, (_, index) => [{ from, to, value: '0x1' }, index]);
      await call(url, 'anvil_reorg', BLOCKS, transactions);
    }),
  },
};
