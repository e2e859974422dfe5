/**
 * Measures blocks of several sizes: accepting their transactions, making them, and applying those of others.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { blockCodec, encode } from '../../dist/protocol/index.js';
import { openStore } from '../../dist/store/index.js';
import { randomNumbers } from '../harness/random.js';
import { showProgress } from '../harness/report.js';
import { inTurn, measured } from '../harness/rounds.js';
import { keysOf, openLedger } from './application-chain.js';
import { accountAt, signedBy, TOKEN, tokenCreation, tokenTransfer, transfer } from './transactions.js';

/** Transactions that a size has in a round together, at least: small blocks are made more often. */
const TRANSACTIONS_A_ROUND = 500;
/** Small blocks before each measurement: the pages that a large one frees slow the store's next commits. */
const SETTLING_BLOCKS = 40;
const SETTLING_SIZE = 10;
/** Holders that a transaction makes: its operations may offer 50,000,000 gas together. */
const HOLDERS_AT_ONCE = 800;
/** Units of the token that each account gets, and that a transfer moves. */
const SHARE = 1_000_000n;
const AMOUNT = 1n;

const KINDS = {
  'native transfer': (from, to) => transfer(from, to, AMOUNT),
  'token transfer': (from, to) => tokenTransfer(TOKEN, from, to, AMOUNT),
};

/**
 * Makes blocks of transfers between random accounts and applies them in a worker, in rounds that alternate kinds and
 * sizes.
 *
 * @param {{ accounts: number, sizes: number[], rounds: number, bytecode: string }} options
 * @returns for each kind and size what each block took: `submit`, all its transactions taken into the pool; `produce`;
 *   `apply`
 */
export async function measureApplication(options) {
  const world = await openWorld(options);
  try {
    const results = Object.keys(KINDS).flatMap((kind) => {
      return options.sizes.map((size) => ({ kind, size, submit: [], produce: [], apply: [] }));
    });
    for (let round = -1; round < options.rounds; round += 1) {
      for (const result of inTurn(results, round)) {
        showProgress(`round ${round + 1} of ${options.rounds}: ${result.size} × ${result.kind}        `);
        await measureRound(world, result, round >= 0);
      }
    }
    return results;
  } finally {
    await world.close();
  }
}

async function measureRound(world, { kind, size, ...times }, counts) {
  for (let made = 0; made < SETTLING_BLOCKS; made += 1) await measureBlock(world, kind, SETTLING_SIZE);
  for (let done = 0; done < TRANSACTIONS_A_ROUND; done += size) {
    const taken = await measureBlock(world, kind, size);
    if (counts) for (const [name, look] of Object.entries(taken)) times[name].push(look);
  }
}

async function measureBlock({ ledger, keys, random, apply }, kind, size) {
  const transactions = Array.from({ length: size }, (_, index) => {
    const [from, to] = [random(keys.length), random(keys.length)];
    return signedBy(keys[from], ledger, [KINDS[kind](accountAt(from), accountAt(to))], index);
  });
  const { taken: submit } = measured(() => {
    for (const transaction of transactions) ledger.pool.submit(transaction);
  });
  const { value: block, taken: produce } = measured(() => ledger.miner.mine());
  if (block.operationCount !== size) throw new Error(`a block of ${size} has ${block.operationCount}`);
  return { submit, produce, apply: await apply() };
}

/** A chain with a token that all accounts have, and a worker with the same chain. */
async function openWorld({ accounts, bytecode }) {
  const keys = keysOf(accounts);
  const publicKeys = keys.map(({ publicKey }) => publicKey);
  const store = openStore({ durable: false });
  const ledger = await openLedger(store, publicKeys);
  const worker = new Worker(new URL('importer.js', import.meta.url), { workerData: { publicKeys } });
  await once(worker, 'message');
  /** Applies the head in the worker; returns the measurements. */
  const apply = async () => {
    worker.postMessage(encode(blockCodec, ledger.blocks.nativeBlock(ledger.blocks.head().number)));
    const [taken] = await once(worker, 'message');
    return taken;
  };
  const close = async () => {
    worker.postMessage(undefined);
    await once(worker, 'exit');
    await store.close();
  };
  const add = async (operations) => {
    ledger.pool.submitInOwnBlock(signedBy(keys[0], ledger, operations));
    await apply();
  };
  await add([tokenCreation(accountAt(0), bytecode)]);
  for (let first = 1; first < accounts; first += HOLDERS_AT_ONCE) {
    const length = Math.min(HOLDERS_AT_ONCE, accounts - first);
    const holders = Array.from({ length }, (_, index) => accountAt(first + index));
    await add(holders.map((holder) => tokenTransfer(TOKEN, accountAt(0), holder, SHARE)));
  }
  return { ledger, keys, random: randomNumbers(7), apply, close };
}
