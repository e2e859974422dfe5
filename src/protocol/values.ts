import { FormatError } from './errors.ts';

declare const brandName: unique symbol;

/** A type that is `T` at run time and that only a constructor of `Name` produces, so that an address is no hash. */
export type Brand<T, Name extends string> = T & { readonly [brandName]: Name };

/** 20 bytes that name an account or a contract inside the EVM and on the interface. */
export type Address = Brand<Uint8Array, 'Address'>;
/** 32 bytes: a digest, an EVM word used as a slot or topic, a chain id. */
export type Hash = Brand<Uint8Array, 'Hash'>;
/** 20 bytes: the block's number, big endian, in the first four, and a digest in the others. */
export type BlockId = Brand<Uint8Array, 'BlockId'>;
/** 20 bytes: RIPEMD-160 of an operation in its transaction. */
export type OperationHash = Brand<Uint8Array, 'OperationHash'>;
/** 20 bytes: root over the processed transactions of a block. */
export type MerkleRoot = Brand<Uint8Array, 'MerkleRoot'>;
/** 32 bytes: an Ed25519 public key, by SHA3-512 (see keys.ts). */
export type PublicKey = Brand<Uint8Array, 'PublicKey'>;
/** 64 bytes: an Ed25519 signature, by SHA3-512 (see keys.ts). */
export type Signature = Brand<Uint8Array, 'Signature'>;
/** 32 bytes: an Ed25519 private key. Secret. */
export type Seed = Brand<Uint8Array, 'Seed'>;

/** Makes a function that brands bytes of one length without copying; it throws FormatError for another length. */
function fixedBytes<Bytes extends Uint8Array>(name: string, length: number): (bytes: Uint8Array) => Bytes {
  return (bytes) => {
    if (bytes.length === length) return bytes as Bytes;
    throw new FormatError(name, `expected ${length} bytes, not ${bytes.length}`);
  };
}

export const toAddress = fixedBytes<Address>('address', 20);
export const toHash = fixedBytes<Hash>('hash', 32);
export const toBlockId = fixedBytes<BlockId>('block id', 20);
export const toOperationHash = fixedBytes<OperationHash>('operation hash', 20);
export const toMerkleRoot = fixedBytes<MerkleRoot>('merkle root', 20);
export const toPublicKey = fixedBytes<PublicKey>('public key', 32);
export const toSignature = fixedBytes<Signature>('signature', 64);
export const toSeed = fixedBytes<Seed>('seed', 32);

/** 20 zero bytes: the default sender of calls, and the address of account 1.2.0. Read-only. */
export const ZERO_ADDRESS: Address = toAddress(new Uint8Array(20));
/** 32 zero bytes. Read-only. */
export const ZERO_HASH: Hash = toHash(new Uint8Array(32));
