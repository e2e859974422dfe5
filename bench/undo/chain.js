/** A ledger over a store of a new folder, and blocks of transfers for it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestGenesis,
  Ledger,
  networkOf,
  signTransaction,
  systemClock,
} from '../../dist/ledger/index.js';
import { accountAddress, accountId, coreAmount, createKeyPair, toSeed } from '../../dist/protocol/index.js';
import { openStore } from '../../dist/store/index.js';

const FIRST_ACCOUNT = 1_024;
const BALANCE = 10n ** 15n;

const keyOf = (byte) => createKeyPair(toSeed(new Uint8Array(32).fill(byte)));
const SENDER = keyOf(1);
const PRODUCER = keyOf(2);

/** Number of accounts that are paid in rotation. */
const RECEIVERS = 1_000;

function genesis() {
  const { publicKey } = SENDER;
  return createTestGenesis({
    network: networkOf('default'),
    hardfork: 'osaka',
    accounts: Array.from({ length: 1 + RECEIVERS }, (_, index) => ({
      publicKey,
      evmAddress: accountAddress(accountId(0x0100_0000 + index)),
    })),
    balance: BALANCE,
    producerKey: PRODUCER.publicKey,
    timestamp: 1_790_000_000,
  });
}

/** The address of the account that is paid by a transfer. */
export function receiverOf(serial) {
  return accountAddress(accountId(FIRST_ACCOUNT + 1 + (serial % RECEIVERS)));
}

/**
 * Opens a ledger in a new folder, which `close` removes.
 *
 * @param {{ durable: boolean, undoBlocks?: number }} options
 */
export async function openLedger({ durable, undoBlocks }) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-bench-'));
  const store = openStore({ path: join(folder, 'ledger'), durable, undoBlocks });
  const options = { store, genesis: genesis(), clock: systemClock, keys: [PRODUCER] };
  const ledger = await Ledger.open({ ...options, mining: 'manual' });
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { ledger, store, close };
}

let serial = 0;

/** Makes a block of so many transfers, each to the next account. */
export function makeBlock(ledger, transfers) {
  const head = ledger.blocks.head();
  for (let count = 0; count < transfers; count += 1) {
    serial += 1;
    const operation = {
      type: /** @type {const} */ ('transfer'),
      fee: coreAmount(20n),
      from: accountId(FIRST_ACCOUNT),
      to: accountId(FIRST_ACCOUNT + 1 + (serial % RECEIVERS)),
      amount: coreAmount(BigInt(serial)),
    };
    const expiration = head.header.timestamp + 3_600;
    ledger.pool.submit(signTransaction(operation, SENDER, ledger.parameters.chainId, head, expiration));
  }
  return ledger.miner.mine();
}
