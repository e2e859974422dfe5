/** The chain on which blocks are made and applied: the same in the process that makes them and in the worker. */

import { createTestGenesis, Ledger, networkOf } from '../../dist/ledger/index.js';
import { DEFAULT_CONFIGURATION } from '../../dist/node/index.js';
import { createKeyPair, sha256, toSeed } from '../../dist/protocol/index.js';

const TIMESTAMP = 1_790_000_000;
/** Native units that an account begins with. */
const BALANCE = 10n ** 12n;
const PRODUCER = createKeyPair(toSeed(sha256(Buffer.from('scale producer'))));

/** Makes a key pair for each account. */
export function keysOf(accounts) {
  return Array.from({ length: accounts }, (_, index) => {
    return createKeyPair(toSeed(sha256(Buffer.from(`scale account ${index}`))));
  });
}

/**
 * Opens a ledger on an empty store, with a genesis that has these accounts.
 *
 * @param {readonly import('../../dist/protocol/index.js').PublicKey[]} publicKeys of the accounts
 */
export function openLedger(store, publicKeys) {
  const { network, hardfork } = DEFAULT_CONFIGURATION;
  const genesis = createTestGenesis({
    network: networkOf(network),
    hardfork,
    accounts: publicKeys.map((publicKey) => ({ publicKey, evmAddress: undefined })),
    balance: BALANCE,
    producerKey: PRODUCER.publicKey,
    timestamp: TIMESTAMP,
  });
  const clock = { now: () => TIMESTAMP };
  return Ledger.open({ store, genesis, clock, keys: [PRODUCER], mining: 'manual' });
}
