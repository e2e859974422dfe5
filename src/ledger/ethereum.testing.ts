import { secp256k1 } from '@noble/curves/secp256k1.js';
import { WEI_PER_UNIT } from '../consensus.ts';
import { type Address, type Hash, keccak256, signEthereumTransaction, toAddress } from '../protocol/index.ts';
import type { EthereumFeatures } from './chain/ethereum-features.ts';
import { type Genesis, type Ledger, movingFees, NO_FEATURES, RefusedError, submitEthereum } from './index.ts';
import { testGenesis } from './ledger.testing.ts';

/** Features of a chain with EIP-1559 from 1 gwei. */
export const MOVING_FEES: EthereumFeatures = { ...NO_FEATURES, fees: movingFees(10n ** 9n) };

/** Features of a chain with a fixed price of 10 gwei. */
const FIXED_FEES: EthereumFeatures = { ...NO_FEATURES, fees: { type: 'fixed', price: WEI_PER_UNIT } };

/** Units of each key's account in the genesis: 1,000 ether. */
export const ETHEREUM_BALANCE = 10n ** 11n;

/** Funded keys, by number. */
export const ethereumKey = (index: number): Uint8Array => keccak256(Buffer.from(`ethereum key ${index}`));

/** The address of a key. */
export const ethereumAddress = (index: number): Address =>
  toAddress(keccak256(secp256k1.getPublicKey(ethereumKey(index), false).subarray(1)).subarray(12));

/** Returns a test genesis with Ethereum and four funded keys. */
export function ethereumGenesis(ethereum: Partial<NonNullable<Genesis['ethereum']>> = {}): Genesis {
  return {
    ...testGenesis(),
    ethereum: {
      blockGasLimit: 45_000_000n,
      accounts: [0, 1, 2, 3].map((index) => ({
        address: ethereumAddress(index),
        balance: ETHEREUM_BALANCE,
      })),
      contracts: [],
      features: FIXED_FEES,
      ...ethereum,
    },
  };
}

/** Returns such a genesis with a state trie, and a fixed price of 10 gwei. */
export function trieGenesis(): Genesis {
  return ethereumGenesis({ features: { ...FIXED_FEES, hasStateTrie: true } });
}

/** Default fields of a transaction. */
export interface Fields {
  readonly nonce?: bigint;
  readonly to?: Address | undefined;
  readonly value?: bigint;
  readonly data?: Uint8Array;
  readonly gas?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly chainId?: bigint;
}

/** Returns the bytes of a type 2 transaction signed by a key, by default with its next nonce. */
export function signedBy(index: number, ledger: Ledger, fields: Fields = {}): Uint8Array {
  return signEthereumTransaction(
    {
      type: 'dynamicFee',
      chainId: BigInt(ledger.parameters.network.chainId),
      nonce: ledger.pool.pending.nonceOf(ethereumAddress(index)),
      maxFeePerGas: 2n * WEI_PER_UNIT,
      maxPriorityFeePerGas: WEI_PER_UNIT,
      gas: 21_000n,
      to: ethereumAddress((index + 1) % 4),
      value: 0n,
      data: new Uint8Array(),
      accessList: [],
      ...fields,
    },
    ethereumKey(index),
  );
}

/** Signs a transaction with a key and submits it. */
export function sendBy(index: number, ledger: Ledger, fields: Fields = {}): Hash {
  return submitEthereum(ledger, signedBy(index, ledger, fields), { allowUnprotected: false });
}

/** Returns the message with which a transaction is refused, or a note that it was accepted. */
export function refusalBy(index: number, ledger: Ledger, fields: Fields = {}): string {
  try {
    sendBy(index, ledger, fields);
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
    throw error;
  }
  return 'it was accepted';
}

/** Returns the nonces of operations, in order. */
export function noncesOf(operations: ReturnType<Ledger['pool']['pendingOperations']>): bigint[] {
  return operations.flatMap(({ operation }) =>
    operation.type === 'ethereumTransaction' ? [operation.innerTransaction.nonce] : [],
  );
}
