/** The chain of the campaign: its keys, its genesis, and the code of its contracts. */

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ETHEREUM_BLOCK_GAS_LIMIT } from '../../src/ledger/genesis/test-genesis.ts';
import {
  createTestGenesis,
  type FeeRule,
  type Genesis,
  mainnetBlobSchedule,
  NO_FEATURES,
  networkOf,
} from '../../src/ledger/index.ts';
import {
  type Address,
  createKeyPair,
  type KeyPair,
  keccak256,
  toAddress,
  toSeed,
} from '../../src/protocol/index.ts';

export const ACCOUNTS = 3;
export const SENDERS = 4;
/** Units of the core asset that each account and each key holds at first. */
export const BALANCE = 10n ** 12n;
export const TIME = 1_790_000_000;

/** Makes the init code of a contract from its runtime code in hexadecimal. */
export const deploying = (runtime: string): string => {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  return `60${size}600c60003960${size}6000f3${runtime}`;
};

/** Runtime code of the contracts of either world. */
export const RUNTIMES = {
  // Counts in slot 0 and logs its payments.
  counter: '5f546001015f55345f5260205fa000',
  // Pays half of its balance to the caller.
  payer: '5f5f5f5f60024704335af100',
  // Creates an empty contract, then another one by CREATE2 with the block number as salt.
  factory: '5f5f5ff050435f5f5ff55000',
  reverting: '5f5ffd',
  burning: 'fe',
  // Destroys itself in favour of the caller.
  destroying: '33ff',
} as const;

const keyOf = (name: string): KeyPair => createKeyPair(toSeed(keccak256(Buffer.from(name))));
const secretOf = (index: number): Uint8Array => keccak256(Buffer.from(`sender ${index}`));
const addressOfSecret = (secret: Uint8Array): Address =>
  toAddress(keccak256(secp256k1.getPublicKey(secret, false).subarray(1)).subarray(12));

export const PRODUCER = keyOf('producer');
export const KEYS = Array.from({ length: ACCOUNTS }, (_, index) => keyOf(`account ${index}`));
export const SECRETS = Array.from({ length: SENDERS }, (_, index) => secretOf(index));
export const ADDRESSES = SECRETS.map(addressOfSecret);

/** Returns the genesis of a chain with a fee rule. */
export function genesis(fees: FeeRule): Genesis {
  const plain = createTestGenesis({
    network: networkOf('default'),
    hardfork: 'osaka',
    accounts: KEYS.map(({ publicKey }) => ({ publicKey, evmAddress: undefined })),
    balance: BALANCE,
    producerKey: PRODUCER.publicKey,
    timestamp: TIME,
  });
  const accounts = ADDRESSES.map((address) => ({ address, balance: BALANCE }));
  const blobs = mainnetBlobSchedule('osaka');
  const features = { ...NO_FEATURES, fees, blobs };
  return {
    ...plain,
    ethereum: { blockGasLimit: ETHEREUM_BLOCK_GAS_LIMIT, accounts, contracts: [], features },
  };
}
