/** Creates the chain of a soak, with an account for each sender. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainIdOf, parseGenesis } from '../../dist/ledger/index.js';
import { createKeyPair, formatPublicKey, toSeed } from '../../dist/protocol/index.js';
import { runCommand } from '../harness/ledgerd.js';

/** Number of accounts that each sender signs for, in rotation. */
const ACCOUNTS_PER_SENDER = 32;
/** Units that each of them begins with. */
const BALANCE = 10n ** 15n;

/** Has `ledgerd init` make the folder. */
export async function makeChain(folder, senders) {
  const clients = Array.from({ length: senders * ACCOUNTS_PER_SENDER }, (_, index) => {
    const seed = createHash('sha256').update(`soak ${index}`).digest();
    return { name: `sender-${index}`, seed, publicKey: createKeyPair(toSeed(seed)).publicKey };
  });
  const accounts = clients.flatMap(({ name, publicKey }) => [
    '--account',
    `${name}=${formatPublicKey(publicKey)}:${BALANCE}`,
  ]);
  await runCommand(['init', '--data-dir', folder, ...accounts]);
  const genesis = parseGenesis(readFileSync(join(folder, 'genesis.json'), 'utf8'));
  const instances = new Map(genesis.accounts.map(({ id, name }) => [name, id]));
  const instanceOf = (name) => {
    const instance = instances.get(name);
    if (instance === undefined) throw new Error(`the genesis has no account ${name}`);
    return instance;
  };
  return {
    folder,
    senders,
    chainId: chainIdOf(genesis),
    clients: clients.map(({ name, seed }) => ({ seed, account: instanceOf(name) })),
    /** Instance of the first account that a transaction makes. */
    firstAccount: Math.max(...instances.values()) + 1,
  };
}
