import { FIRST_ACCOUNT_INSTANCE } from '../consensus.ts';
import type { Ledger } from '../ledger/index.ts';
import { openTestLedger, testGenesis } from '../ledger/ledger.testing.ts';
import { type Address, accountId, createKeyPair, invariant } from '../protocol/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { deriveProducerSeed, deriveTestAccounts } from './keys.ts';
import { Wallet, type WalletOptions } from './wallet.ts';

/** Native units of each test account. */
export const BALANCE = 1_000_000_000n;

/** Unix time that the ledger's clock begins at. */
export const START = 1_700_000_000;

/** A ledger with three funded accounts, and its wallet. Tests advance the clocks. */
export interface WalletFixture {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly wallet: Wallet;
  /** Addresses of the genesis accounts. */
  readonly alice: Address;
  readonly bob: Address;
  /** Time of the ledger's clock in Unix seconds, and of the wallet's in milliseconds. */
  readonly time: { ledger: number; wallet: number };
  /** Opens another wallet on the same ledger, as after a restart. */
  reopen(): Wallet;
}

/** Opens a ledger with a wallet; the store lives in a temporary folder until it is closed. */
export async function openWalletFixture(storage?: WalletOptions['storage']): Promise<WalletFixture> {
  const store = openStore({ durable: false });
  const time = { ledger: START, wallet: 0 };
  const accounts = deriveTestAccounts('wallet test', 3);
  const producer = createKeyPair(deriveProducerSeed('wallet test'));
  const { publicKey: producerKey } = producer;
  const genesis = testGenesis({ accounts, balance: BALANCE, producerKey, timestamp: START });
  const clock = { now: () => time.ledger };
  const { ledger } = await openTestLedger({ store, genesis, clock, keys: [producer] });
  const held = accounts.map(({ seed }, index) => ({ id: accountId(FIRST_ACCOUNT_INSTANCE + index), seed }));
  const registrar = { id: genesis.registrar, keys: producer };
  const reopen = () => new Wallet(ledger, held, { time: { now: () => time.wallet }, registrar, storage });
  const wallet = await openOrClose(reopen, store);
  const [alice, bob] = wallet.list();
  invariant(alice !== undefined && bob !== undefined, 'the fixture has three accounts');
  return { store, ledger, wallet, alice, bob, time, reopen };
}

/** A wallet that does not open leaves no store behind. */
async function openOrClose(open: () => Wallet, store: Store): Promise<Wallet> {
  try {
    return open();
  } catch (error) {
    await store.close();
    throw error;
  }
}
