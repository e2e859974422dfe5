/** Measures native transfers in batches, included in the blocks of a node. */

import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseGenesis, signTransaction } from '../../dist/ledger/index.js';
import {
  coreAmount,
  createKeyPair,
  encode,
  formatPublicKey,
  signedTransactionCodec,
  toBlockId,
  toSeed,
} from '../../dist/protocol/index.js';
import { withConnection } from '../harness/connection.js';
import { runCommand, startLedgerd } from '../harness/ledgerd.js';
import { processorTimes } from '../harness/processor.js';
import { quantity, toHex } from '../harness/words.js';
import { outcomeOf } from './load.js';
import { withNode } from './peers.js';

/** Native transfers for each Ethereum transfer of the other rows: they are faster. */
const NATIVE_SHARE = 4;
const ACCOUNTS = 64;
const [BALANCE, FEE] = [10n ** 15n, 100n];
const NODE_FLAGS = ['--block-interval', '1', '--log-level', 'error'];

/** Transactions of a request. */
const BATCH = 100;
const CONNECTIONS = 4;
/** Greatest number of sent transactions that no block includes yet: the pool accepts no more. */
const PENDING_MAX = 10_000;
const LOOK_MS = 5;
/** Longest time for which transactions are sent into blocks: a slow node gets fewer. */
const LOAD_MS_MAX = 30_000;
/** Seconds for which transactions are valid. */
const VALID_SECONDS = 12 * 3_600;
/** Bytes of a block hash before the native id. */
const HASH_LEAD_BYTES = 12;
const FAILURE_LENGTH_MAX = 300;

/** Makes a chain in a data folder, and batches of signed transfers for it. */
export async function planNode({ scratch, transfers }) {
  const folder = join(scratch, 'node');
  const clients = Array.from({ length: ACCOUNTS }, (_, index) => {
    const keys = createKeyPair(toSeed(createHash('sha256').update(`client ${index}`).digest()));
    return { name: `client-${index}`, keys };
  });
  const words = clients.flatMap(({ name, keys }) => {
    return ['--account', `${name}=${formatPublicKey(keys.publicKey)}:${BALANCE}`];
  });
  await runCommand(['init', '--data-dir', folder, ...words]);
  const { accounts } = parseGenesis(readFileSync(join(folder, 'genesis.json'), 'utf8'));
  const ids = new Map(accounts.map(({ id, name }) => [name, id]));
  const parties = clients.map(({ name, keys }) => ({ keys, account: ids.get(name) }));
  const chain = await withNode(startCopy(startLedgerd, folder), ({ port }) => withConnection(port, chainOf));
  return { folder, batches: batchesOf(signedTransfers(parties, chain, NATIVE_SHARE * transfers)) };
}

/** Measures the transfers a second that blocks include. */
export function measureNode(peer, { folder, batches }) {
  return withNode(startCopy(peer.start, folder), async (node) => {
    const sent = await sendIntoBlocks(node, batches);
    return { ...outcomeOf(sent.rate, sent), note: await signatureNote(node.url) };
  });
}

/** Starts a node in a new copy of a data folder. */
async function startCopy(start, folder) {
  const copy = `${folder}-copy`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true });
  return { path: '/', ...(await start(['--data-dir', copy, ...NODE_FLAGS])) };
}

/** Tells the share of signature checks by other threads; undefined if the node does not count them. */
async function signatureNote(url) {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const counts = [...text.matchAll(/^ledgerd_signature_checks_total\{thread="(\w+)"\} (\S+)$/gm)];
  const total = counts.reduce((sum, [, , count]) => sum + Number(count), 0);
  if (total === 0) return undefined;
  const own = Number(counts.find(([, thread]) => thread === 'ledger')?.[2] ?? 0);
  return `${Math.round(100 * (1 - own / total))} % of the signature checks off the main thread`;
}

/** Reads what transactions on a node's chain refer to: its genesis block. */
async function chainOf(connection) {
  const { chainId } = await connection.call('ledger_getChain');
  const { hash, timestamp } = await connection.call('eth_getBlockByNumber', '0x0', false);
  const bytes = (/** @type {string} */ text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
  const reference = { number: 0, id: toBlockId(bytes(hash).subarray(HASH_LEAD_BYTES)) };
  return { chainId: bytes(chainId), reference, expiration: Number(timestamp) + VALID_SECONDS };
}

/** Makes signed transfers of parties, which alternate. */
function signedTransfers(parties, { chainId, reference, expiration }, count) {
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [parties[index % parties.length], parties[(index + 1) % parties.length]];
    // Different amounts make different transactions.
    const amount = coreAmount(BigInt(index + 1));
    /** @type {any} */
    const operation = { type: 'transfer', fee: coreAmount(FEE), from: from.account, to: to.account, amount };
    return signTransaction(operation, from.keys, chainId, reference, expiration);
  });
}

/**
 * Writes transactions as the bodies of batches.
 *
 * @param {readonly import('../../dist/protocol/index.js').SignedTransaction[]} transactions
 */
function batchesOf(transactions) {
  const calls = transactions.map((transaction, index) => {
    const params = [toHex(encode(signedTransactionCodec, transaction))];
    return JSON.stringify({ jsonrpc: '2.0', id: index % BATCH, method: 'eth_sendRawTransaction', params });
  });
  const count = Math.ceil(calls.length / BATCH);
  return Array.from({ length: count }, (_, index) => {
    const chosen = calls.slice(index * BATCH, (index + 1) * BATCH);
    return { body: `[${chosen.join(',')}]`, count: chosen.length };
  });
}

/**
 * Sends batches from several connections at once.
 *
 * @param {{ port: number }} node
 * @param {readonly { body: string, count: number }[]} batches
 * @param {(sent: number) => 'send' | 'wait' | 'end'} pace decides before each batch, by the transactions to its end
 * @throws {Error} with the response when the node refuses a transaction
 */
async function sendBatches({ port }, batches, pace) {
  const remaining = batches[Symbol.iterator]();
  let sent = 0;
  const sendAll = async (/** @type {import('../harness/connection.js').Connection} */ connection) => {
    for (const { body, count } of remaining) {
      sent += count;
      while (pace(sent) === 'wait') await delay(LOOK_MS);
      if (pace(sent) === 'end') return;
      const text = await connection.send(body);
      if (!text.includes('"error"')) continue;
      const start = text.indexOf('"error"');
      throw new Error(`a transaction is refused: ${text.slice(start, start + FAILURE_LENGTH_MAX)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => withConnection(port, sendAll)));
}

/**
 * Sends batches and waits until blocks include them, or until the time is over.
 *
 * @param {{ port: number, processId: number }} node
 * @param {readonly { body: string, count: number }[]} batches
 * @returns {Promise<{ rate: number } & import('./load.js').Sent>}
 */
function sendIntoBlocks(node, batches) {
  return withConnection(node.port, async (connection) => {
    const transactions = batches.reduce((sum, { count }) => sum + count, 0);
    const before = processorTimes(node);
    const started = performance.now();
    const seen = [{ at: started, total: 0 }];
    const total = () => seen.at(-1)?.total ?? 0;
    let isOver = false;
    const sending = sendBatches(node, batches, (sent) => {
      if (isOver) return 'end';
      return sent - total() <= PENDING_MAX ? 'send' : 'wait';
    });
    sending.catch(() => {
      isOver = true;
    });
    try {
      let number = Number(await connection.call('eth_blockNumber'));
      while (total() < transactions && performance.now() < started + LOAD_MS_MAX && !isOver) {
        await delay(LOOK_MS);
        for (const head = Number(await connection.call('eth_blockNumber')); number < head; ) {
          number += 1;
          const count = await connection.call('eth_getBlockTransactionCountByNumber', quantity(number));
          if (Number(count) > 0) seen.push({ at: performance.now(), total: total() + Number(count) });
        }
      }
    } finally {
      isOver = true;
    }
    const [ms, after] = [performance.now() - started, processorTimes(node)];
    await sending;
    if (total() === 0) throw new Error('no block includes a transaction');
    return { rate: rateOf(seen), transactions: total(), ms, before, after };
  });
}

/** Returns the transactions a second; with enough blocks, without the first and the last, which are seldom full. */
function rateOf(seen) {
  const [first, last] = seen.length > 4 ? [seen[1], seen.at(-2)] : [seen[0], seen.at(-1)];
  return (1_000 * (last.total - first.total)) / (last.at - first.at);
}
