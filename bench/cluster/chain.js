/** Chains of a persistent node, made by the node's own ledger. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ledger, parseGenesis, signTransaction } from '../../dist/ledger/index.js';
import { dataFolderAt } from '../../dist/node/index.js';
import { readKeyFile } from '../../dist/node/keys/key-file.js';
import { coreAmount } from '../../dist/protocol/index.js';
import { openStore } from '../../dist/store/index.js';
import { runCommand } from '../harness/ledgerd.js';

/** Blocks without transactions that are made in one go. */
const BLOCKS_AT_ONCE = 1_000;
const SECOND_MS = 1_000;

/**
 * Makes a chain that has a block each second, up to now, in a new data folder.
 *
 * @param {string} folder
 * @param {number} count of blocks
 * @param {number} every so many blocks one has a transfer; 0: none has
 */
export async function makeChain(folder, count, every) {
  await runCommand(['init', '--data-dir', folder, '--block-interval', '1']);
  const place = dataFolderAt(folder);
  const text = JSON.parse(readFileSync(place.genesis, 'utf8'));
  const began = Math.floor(Date.now() / SECOND_MS) - count;
  text.timestamp = new Date(began * SECOND_MS).toISOString().replace(/\.000Z$/, 'Z');
  writeFileSync(place.genesis, JSON.stringify(text));
  const genesis = parseGenesis(readFileSync(place.genesis, 'utf8'));
  const store = openStore({ path: place.store, durable: false });
  try {
    const ledger = await Ledger.open({
      ...{ store, genesis, clock: { now: () => Math.floor(Date.now() / SECOND_MS) } },
      ...{ keys: [keyOf(folder, 'producer').keys], mining: 'manual' },
    });
    makeBlocks(ledger, keyOf(folder, 'treasury'), count, every);
  } finally {
    await store.close();
  }
}

/** Makes blocks up to a number, of which some have a transfer of the treasury. */
function makeBlocks(ledger, { account: from, keys }, count, every) {
  const [fee, amount] = [coreAmount(20n), coreAmount(1n)];
  while (ledger.blocks.head().number < count) {
    const { number, header } = ledger.blocks.head();
    if (every > 0 && number % every === 0) {
      /** @type {import('../../dist/protocol/index.js').Operation} */
      const transfer = { type: 'transfer', fee, from, to: ledger.parameters.registrar, amount };
      const until = header.timestamp + 3_600;
      const { chainId } = ledger.parameters;
      ledger.pool.submit(signTransaction(transfer, keys, chainId, ledger.blocks.head(), until));
      ledger.miner.mine(header.timestamp + 1);
    } else {
      const most = every > 0 ? every - (number % every) : BLOCKS_AT_ONCE;
      ledger.miner.mineSeveral(Math.min(most, count - number), Number.POSITIVE_INFINITY, 1);
    }
  }
}

/**
 * @param {string} folder
 * @param {'producer' | 'treasury'} name
 */
function keyOf(folder, name) {
  return readKeyFile(join(dataFolderAt(folder).keys, `${name}.json`));
}
