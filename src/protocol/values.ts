import type { Brand } from './brand.ts';
import { FormatError } from './errors.ts';

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

function checkLength(bytes: Uint8Array, length: number, name: string): void {
  if (bytes.length !== length) {
    throw new FormatError(name, `expected ${length} bytes, not ${bytes.length}`);
  }
}

/** Takes 20 bytes as an address, without copying. @throws {FormatError} for another length. */
export function toAddress(bytes: Uint8Array): Address {
  checkLength(bytes, 20, 'address');
  return bytes as Address;
}

/** Takes 32 bytes as a hash, without copying. @throws {FormatError} for another length. */
export function toHash(bytes: Uint8Array): Hash {
  checkLength(bytes, 32, 'hash');
  return bytes as Hash;
}

/** Takes 20 bytes as a block id, without copying. @throws {FormatError} for another length. */
export function toBlockId(bytes: Uint8Array): BlockId {
  checkLength(bytes, 20, 'block id');
  return bytes as BlockId;
}

/** Takes 20 bytes as an operation's hash, without copying. @throws {FormatError} for another length. */
export function toOperationHash(bytes: Uint8Array): OperationHash {
  checkLength(bytes, 20, 'operation hash');
  return bytes as OperationHash;
}

/** Takes 20 bytes as a merkle root, without copying. @throws {FormatError} for another length. */
export function toMerkleRoot(bytes: Uint8Array): MerkleRoot {
  checkLength(bytes, 20, 'merkle root');
  return bytes as MerkleRoot;
}

/** Takes 32 bytes as a public key, without copying. @throws {FormatError} for another length. */
export function toPublicKey(bytes: Uint8Array): PublicKey {
  checkLength(bytes, 32, 'public key');
  return bytes as PublicKey;
}

/** Takes 64 bytes as a signature, without copying. @throws {FormatError} for another length. */
export function toSignature(bytes: Uint8Array): Signature {
  checkLength(bytes, 64, 'signature');
  return bytes as Signature;
}

/** Takes 32 bytes as a private key, without copying. @throws {FormatError} for another length. */
export function toSeed(bytes: Uint8Array): Seed {
  checkLength(bytes, 32, 'seed');
  return bytes as Seed;
}

/**
 * The address of 20 zero bytes: the default sender of calls, and the address of account 1.2.0. Not to be
 * written to.
 */
export const ZERO_ADDRESS: Address = toAddress(new Uint8Array(20));
/** The hash of 32 zero bytes. Not to be written to. */
export const ZERO_HASH: Hash = toHash(new Uint8Array(32));
