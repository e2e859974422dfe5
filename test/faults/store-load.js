/**
 * Uses a store in a separate process: `node store-load.js write FOLDER` commits small and large blocks, and reports
 * each commit; `node store-load.js read FOLDER` reports the content. Each report is a line of JSON.
 */

import { createHash } from 'node:crypto';
import { openStore } from '../../dist/store/index.js';

const [task, path] = process.argv.slice(2);
/** Transactions of the blocks, by number. Large commits make LMDB write early, from its list of free pages. */
const BLOCKS = [1, 5, 2_000, 6_000, 1, 3_000, 1];
/** Attempts at a commit without disk space. */
const ATTEMPTS = 3;

function say(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Bytes that depend on the words alone. */
function bytesOf(length, ...words) {
  return createHash('shake128', { outputLength: length }).update(words.join()).digest();
}

/** @returns {any} a commit, with bytes of no meaning */
function blockOf(number, removedPending) {
  const indices = Array.from({ length: BLOCKS[number] }, (_, index) => index);
  return {
    number,
    block: bytesOf(300, 'block', number),
    transactions: indices.map((index) => ({
      firstOperation: index,
      bytes: bytesOf(120, 'sent', number, index),
    })),
    receipts: indices.map((index) => bytesOf(80, 'receipt', number, index)),
    operationHashes: indices.map((index) => bytesOf(20, 'hash', number, index)),
    logs: [],
    payers: [],
    state: indices.map((index) => ({
      key: Uint8Array.of(1, ...bytesOf(20, 'account', (number * 7 + index) % 5_000)),
      before: undefined,
      after: bytesOf(index % 500 === 0 ? 6_000 : 40, 'state', number, index),
    })),
    accumulator: bytesOf(32, 'accumulator', number),
    removedPending,
  };
}

/** Repeats an action until the disk has space, or gives up; ends the process if the disk failed in the middle. */
function attempt(action) {
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    try {
      return { done: action() };
    } catch (error) {
      say({ refused: error.code, message: error.message });
      if (error.code !== 'STORE_COMMIT_FAILED') process.exit(5);
    }
  }
  return undefined;
}

async function write() {
  let store;
  try {
    store = openStore({ path, durable: true });
  } catch (error) {
    say({ refused: error.code, message: error.message });
    process.exit(3);
  }
  for (const number of BLOCKS.keys()) {
    const added = attempt(() => store.addPending(bytesOf(100, 'pending', number)));
    if (added !== undefined) say({ pending: added.done, number });
    // Transactions of every second block stay pending.
    const gone = added === undefined || number % 2 === 0 ? [] : [added.done];
    const made = attempt(() => {
      store.commitBlock(blockOf(number, gone));
      return true;
    });
    if (made === undefined) break;
    say({ block: number, gone });
  }
  await store.close();
}

/** Computes a digest of all tables except the pending one. */
function digestOf(store) {
  const digest = createHash('sha256');
  for (const { table, key, value } of store.tables()) {
    if (table !== 'pending') digest.update(table).update(key).update(value);
  }
  return digest.digest('hex');
}

async function read() {
  const store = openStore({ path, durable: true });
  const pending = Array.from(store.pendingTransactions(), ({ sequence }) => sequence);
  say({ head: store.head() ?? -1, digest: digestOf(store), pending });
  await store.close();
}

/** Reports the content of a complete store after each of its blocks. */
async function reference() {
  const store = openStore({ durable: false });
  const digests = { [-1]: digestOf(store) };
  for (const number of BLOCKS.keys()) {
    store.commitBlock(blockOf(number, []));
    digests[number] = digestOf(store);
  }
  say(digests);
  await store.close();
}

await { write, read, reference }[task]();
