/** Chains of a given size, made by the node's own ledger: every block is executed, signed and stored. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createTestGenesis, Ledger, networkOf } from '../../dist/ledger/index.js';
import { DEFAULT_CONFIGURATION, dataFolderAt } from '../../dist/node/index.js';
import { createKeyPair } from '../../dist/protocol/index.js';
import { openStore } from '../../dist/store/index.js';
import { deriveProducerSeed, deriveTestAccounts } from '../../dist/wallet/index.js';
import {
  accountAt,
  accountCreation,
  signedBy,
  TOKEN,
  tokenCreation,
  tokenTransfer,
  transfer,
} from './transactions.js';

/** Accounts that a transaction makes; it gives them coins and tokens too, and may have 1,000 operations. */
const ACCOUNTS_AT_ONCE = 333;
/** Native units that an account begins with, units of the token that it gets then, and with each transfer. */
export const BALANCE = 1_000_000n;
export const SHARE = 1_000n;
/** Every so many blocks one has a transfer; the others are empty. */
const TRANSFER_EVERY = 4;
/** Seconds between two blocks. */
const INTERVAL = 1;

/**
 * Makes a chain in a folder that `ledgerd start --test` takes. Its first blocks make the accounts; of the others every
 * fourth has a transfer of a token.
 *
 * @param {string} folder
 * @param {number} count accounts that are made, and blocks
 * @param {string} bytecode creates the token
 * @param {(block: number) => void} progress is told of every hundredth part
 * @returns {Promise<{ count: number, firstAccount: number, hashes: string[], megabytes: number, seconds: number }>}
 *   the position of the first account that was made, and the hashes of the transfers
 */
export async function buildChain(folder, count, bytecode, progress) {
  const started = performance.now();
  const { store: path } = dataFolderAt(folder);
  const store = openStore({ path, durable: false });
  let made;
  try {
    const chain = await openChain(store, count);
    chain.add([tokenCreation(chain.owner, bytecode)]);
    makeAccounts(chain, count);
    made = { count, firstAccount: chain.first, hashes: makeBlocks(chain, count, progress) };
  } finally {
    await store.close();
  }
  const megabytes = statSync(join(path, 'ledger.mdb')).size / 1e6;
  return { ...made, megabytes, seconds: (performance.now() - started) / 1_000 };
}

/** A new chain as a node in test mode makes it, with its time as far back as its blocks need. */
async function openChain(store, count) {
  const { network, hardfork, seed, accounts, balance } = DEFAULT_CONFIGURATION;
  const testAccounts = deriveTestAccounts(seed, accounts);
  const keys = createKeyPair(testAccounts[0].seed);
  const producer = createKeyPair(deriveProducerSeed(seed));
  let time = Math.floor(Date.now() / 1_000) - (count + 1) * INTERVAL;
  const ledger = await Ledger.open({
    store,
    genesis: createTestGenesis({
      network: networkOf(network),
      hardfork,
      accounts: testAccounts,
      balance,
      producerKey: producer.publicKey,
      timestamp: time,
    }),
    clock: { now: () => time },
    keys: [producer],
    mining: 'manual',
  });
  const wait = () => {
    time += INTERVAL;
  };
  const add = (operations) => {
    wait();
    return ledger.pool.submitInOwnBlock(signedBy(keys, ledger, operations));
  };
  const addEmpty = () => {
    wait();
    ledger.miner.mine();
  };
  return { ledger, add, addEmpty, owner: accountAt(0), keys, first: accounts };
}

function makeAccounts({ add, owner, keys, first }, count) {
  for (let made = 0; made < count; made += ACCOUNTS_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(ACCOUNTS_AT_ONCE, count - made) },
      (_, index) => made + index,
    );
    add([
      ...numbers.map((number) => accountCreation(owner, `holder-${number}`, keys.publicKey)),
      ...numbers.map((number) => transfer(owner, accountAt(first + number), BALANCE)),
      ...numbers.map((number) => tokenTransfer(TOKEN, owner, accountAt(first + number), SHARE)),
    ]);
  }
}

/** The blocks that are still to come; gives the hashes of their transfers, which go to one account after the other. */
function makeBlocks({ ledger, add, addEmpty, owner, first }, count, progress) {
  const hashes = [];
  for (let number = ledger.blocks.head().number + 1; number <= count; number += 1) {
    if (number % TRANSFER_EVERY === 0) {
      const [{ hash }] = add([tokenTransfer(TOKEN, owner, accountAt(first + hashes.length), SHARE)]);
      hashes.push(`0x${Buffer.from(hash).toString('hex')}`);
    } else addEmpty();
    if (number % Math.ceil(count / 100) === 0) progress(number);
  }
  return hashes;
}
