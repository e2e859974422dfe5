import { afterEach, expect } from 'vitest';
import { KNOWS_ETHEREUM } from '../../test/chain-kind.ts';
import { WEI_PER_UNIT } from '../consensus.ts';
import { LATEST_HARDFORK } from '../evm/index.ts';
import {
  type AccountId,
  type Address,
  type AssetAmount,
  accountAddress,
  accountId,
  type Block,
  blockCodec,
  bytesToHex,
  coreAmount,
  createKeyPair,
  decode,
  encode,
  type Hash,
  type KeyPair,
  keccak256,
  type Operation,
  type SignedTransaction,
  sha256,
  toAddress,
  toSeed,
  transactionDigest,
} from '../protocol/index.ts';
import { openStore, type Store } from '../store/index.ts';
import type { TestGenesisOptions } from './genesis/test-genesis.ts';
import {
  createTestGenesis,
  type EthereumGenesis,
  type Genesis,
  Ledger,
  NO_FEATURES,
  networkOf,
  RefusedError,
  referencePrefix,
  rootOfEntries,
} from './index.ts';
import type { LedgerOptions } from './ledger.ts';

/** Balance of each test account in the genesis. */
export const TEST_BALANCE = 10n ** 15n;

export const GENESIS_TIME = 1_790_000_000;

/** Returns a key that is the same in every run. */
export function keyOf(name: string): KeyPair {
  return createKeyPair(toSeed(sha256(Buffer.from(name))));
}

/** Keys of the funded accounts 1.2.1024, 1.2.1025 and so on. */
export const KEYS: readonly KeyPair[] = Array.from({ length: 4 }, (_, index) => keyOf(`account ${index}`));

export const PRODUCER_KEY = keyOf('producer');

export const ACCOUNTS: readonly AccountId[] = KEYS.map((_, index) => accountId(1024 + index));

/** Returns the key of the funded account with this index. */
export function keyAt(index: number): KeyPair {
  const key = KEYS[index];
  if (key === undefined) throw new RangeError(`there is no test key ${index}`);
  return key;
}

/** Returns the id of the funded account with this index. */
export function accountAt(index: number): AccountId {
  return accountId(1024 + index);
}

/** Returns the address of the funded account with this index. */
export function addressAt(index: number): Address {
  return accountAddress(accountAt(index));
}

/** Returns a clock that a test sets. */
export function testClock(): { now(): number; time: number } {
  return {
    time: GENESIS_TIME,
    now() {
      return this.time;
    },
  };
}

/** The minimal Ethereum part of a genesis, with no keys and no contracts. */
const BARE_ETHEREUM: EthereumGenesis = {
  blockGasLimit: 45_000_000n,
  accounts: [],
  contracts: [],
  features: { ...NO_FEATURES, fees: { type: 'fixed', price: WEI_PER_UNIT } },
};

/** Returns a genesis, by default with the latest rules and the funded accounts of `KEYS`. */
export function testGenesis(options: Partial<TestGenesisOptions> = {}): Genesis {
  return createTestGenesis({
    network: networkOf('default'),
    hardfork: LATEST_HARDFORK,
    accounts: KEYS.map(({ publicKey }) => ({ publicKey, evmAddress: evmAddressOf(publicKey) })),
    balance: TEST_BALANCE,
    producerKey: PRODUCER_KEY.publicKey,
    timestamp: GENESIS_TIME,
    ethereum: KNOWS_ETHEREUM ? BARE_ETHEREUM : undefined,
    ...options,
  });
}

/** Returns an unused address. */
export function evmAddressOf(seed: Uint8Array): Address {
  return toAddress(keccak256(seed).subarray(12));
}

/** Temporary stores of the ledgers that the running test has opened. */
const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

/**
 * Opens a ledger of the test genesis, by default with instant production. Its store is a temporary one that is
 * closed after the test, unless one is given.
 */
export async function openTestLedger(
  options: Partial<LedgerOptions> = {},
): Promise<{ ledger: Ledger; store: Store; clock: ReturnType<typeof testClock> }> {
  const store = options.store ?? openStore({ durable: false });
  if (options.store === undefined) stores.push(store);
  const clock = testClock();
  const ledger = await Ledger.open({
    store,
    genesis: testGenesis(),
    clock,
    keys: [PRODUCER_KEY],
    mining: 'instant',
    ...options,
  });
  return { ledger, store, clock };
}

/** Deviations of a test transaction from a valid one. */
export interface SigningOptions {
  readonly expiration?: number;
  readonly refBlockNum?: number;
  readonly refBlockPrefix?: number;
  readonly chainId?: Hash;
  readonly signedWithEchorandKey?: boolean;
}

/** Returns a transaction of these operations, signed with these keys. */
export function sign(
  ledger: Ledger,
  operations: readonly Operation[],
  keys: readonly KeyPair[],
  options: SigningOptions = {},
): SignedTransaction {
  const head = ledger.blocks.head();
  const transaction = {
    refBlockNum: options.refBlockNum ?? head.number & 0xffff,
    refBlockPrefix: options.refBlockPrefix ?? referencePrefix(head.id),
    expiration: options.expiration ?? head.header.timestamp + 60,
    operations,
  };
  const digest = transactionDigest(options.chainId ?? ledger.parameters.chainId, transaction);
  const signatures = keys.map((key) => key.sign(digest));
  return { ...transaction, signatures, signedWithEchorandKey: options.signedWithEchorandKey ?? false };
}

/** Parameters of `sign` after the ledger. */
export type SignedParts = [
  operations: readonly Operation[],
  keys: readonly KeyPair[],
  options?: SigningOptions,
];

/** Submits a transaction that must be refused, checks that nothing changed, and returns the message. */
export function refusalOf(ledger: Ledger, store: Store, ...signed: SignedParts): string {
  const before = { head: ledger.blocks.head().number, root: bytesToHex(rootByScan(store)) };
  let message = 'it was accepted';
  try {
    ledger.pool.submit(sign(ledger, ...signed));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    message = error.message;
  }
  expect({ head: ledger.blocks.head().number, root: bytesToHex(rootByScan(store)) }).toEqual(before);
  expect(ledger.pool.pendingOperations()).toEqual([]);
  return message;
}

export const core: (amount: bigint) => AssetAmount = coreAmount;

/** Returns a transfer of a funded account. */
export function transfer(from: number, to: AccountId, amount: bigint, fee = 20n): Operation {
  return { type: 'transfer', fee: core(fee), from: accountAt(from), to, amount: core(amount) };
}

/** Returns a creation of a contract by a funded account. */
export function createContract(registrar: number, code: string, value = 0n, fee = 1_000_000n): Operation {
  return {
    type: 'contractCreate',
    fee: core(fee),
    registrar: accountAt(registrar),
    value: core(value),
    code,
    ethAccuracy: false,
  };
}

/** Returns the sum of all balances, from a scan of the store. */
export function rootByScan(store: Store): Hash {
  return rootOfEntries(store.stateEntries());
}

/** Returns a block as another node receives it. */
export function transported(ledger: Ledger, number: number): Block {
  const block = ledger.blocks.nativeBlock(number);
  if (block === undefined) throw new RangeError(`there is no block ${number}`);
  return decode(blockCodec, encode(blockCodec, block));
}
