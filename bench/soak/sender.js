/**
 * A worker that signs transactions and sends them, the next batch while the node is at work on the one before.
 * `workerData`: `url`, `chainId`, `senders` (`{ seed, account }` each), `first` and `step` (its serial numbers are
 * `first`, `first + step`, …), `batch` (transactions in a request) and `world` (see workload.js).
 * It is told `{ kind: 'reference', number, id, expiration, created }` and `{ kind: 'send', last, until }`; it
 * responds with `{ kind: 'sent', count, kinds }` for every batch and `{ kind: 'done' }` at the serial number `last`, or
 * at the time `until`.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { signTransaction } from '../../dist/ledger/index.js';
import { createKeyPair, encode, signedTransactionCodec, toHash, toSeed } from '../../dist/protocol/index.js';
import { post } from '../../test/rpc-client.js';
import { kindOf, operationOf } from './workload.js';

const { url, first, step, batch, world } = workerData;
const chainId = toHash(workerData.chainId);
const senders = workerData.senders.map(({ seed, account }) => ({
  keys: createKeyPair(toSeed(seed)),
  account,
}));
/** Milliseconds until transactions that a full pool rejected are sent again. */
const FULL_POOL_MS = 200;

let serial = first;
let reference;

function signed() {
  const { keys, account } = senders[serial % senders.length];
  const publicKey = senders[0].keys.publicKey;
  const operation = operationOf(serial, account, { ...world, publicKey, createdAccounts: reference.created });
  const transaction = signTransaction(operation, keys, chainId, reference, reference.expiration);
  const kind = kindOf(serial);
  serial += step;
  return { kind, raw: `0x${Buffer.from(encode(signedTransactionCodec, transaction)).toString('hex')}` };
}

/** Sends transactions until all are accepted. */
async function send(transactions) {
  const kinds = {};
  let waiting = transactions;
  while (waiting.length > 0) {
    const method = 'eth_sendRawTransaction';
    const calls = waiting.map(({ raw }, id) => ({ jsonrpc: '2.0', id, method, params: [raw] }));
    const responses = await post(url, JSON.stringify(calls));
    const refused = [];
    for (const { id, error } of responses) {
      const transaction = waiting[id];
      if (error === undefined) kinds[transaction.kind] = (kinds[transaction.kind] ?? 0) + 1;
      else if (/pending pool is full/.test(error.message)) refused.push(transaction);
      else throw new Error(`${transaction.kind} is refused: ${error.message}`);
    }
    waiting = refused;
    if (waiting.length > 0) await delay(FULL_POOL_MS);
  }
  parentPort?.postMessage({ kind: 'sent', count: transactions.length, kinds });
}

async function sendUntil(last, until) {
  let sending = Promise.resolve();
  while (serial < last && Date.now() < until) {
    const transactions = [];
    while (transactions.length < batch && serial < last) transactions.push(signed());
    await sending;
    sending = send(transactions);
    // A failure comes up where it is awaited.
    sending.catch(() => undefined);
    // Lets new references in.
    await delay(0);
  }
  await sending;
  parentPort?.postMessage({ kind: 'done' });
}

parentPort?.on('message', (message) => {
  if (message.kind === 'reference') reference = message;
  // An unhandled failure ends the worker, which the main thread hears of.
  else sendUntil(message.last, message.until);
});
