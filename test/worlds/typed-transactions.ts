import {
  type Address,
  concatBytes,
  type EthereumTransactionFields,
  keccak256,
  signAuthorization,
  toHash,
} from '../../src/protocol/index.ts';
import type { Random } from '../fuzz/random.ts';
import { SECRETS } from './genesis.ts';

/** The fields that transactions of types 3 and 4 have, too. */
type SharedFields = Omit<Extract<EthereumTransactionFields, { type: 'dynamicFee' }>, 'type' | 'to'> & {
  readonly to: Address;
};

/** The sources of random values. */
interface Sources {
  readonly random: Random;
  anybody(): Address;
  /** Returns a nonce that an account may have. */
  nonceOf(account: number): bigint;
}

/** Makes a transaction that sets code, with valid and invalid authorizations of the senders (EIP-7702). */
export function setCodeFields(shared: SharedFields, sources: Sources): EthereumTransactionFields {
  const { random } = sources;
  const authorizationList = Array.from({ length: 1 + random.below(3) }, () => {
    const account = random.below(SECRETS.length);
    const chainId = random.pick([shared.chainId, shared.chainId, 0n, shared.chainId + 1n]);
    const fields = { chainId, address: sources.anybody(), nonce: sources.nonceOf(account) };
    return signAuthorization(fields, SECRETS[account] ?? random.bytes(32));
  });
  return { ...shared, type: 'setCode', authorizationList };
}

/** Makes a transaction with blobs, in its consensus form (EIP-4844). */
export function blobFields(shared: SharedFields, { random }: Sources): EthereumTransactionFields {
  const blobVersionedHashes = Array.from({ length: 1 + random.below(6) }, () =>
    toHash(concatBytes(Uint8Array.of(1), keccak256(random.bytes(4)).subarray(1))),
  );
  const maxFeePerBlobGas = random.pick([1n, 1n, 10n ** 9n, 0n]);
  return { ...shared, type: 'blob', blobVersionedHashes, maxFeePerBlobGas };
}
