import type { BlockId, Hash, MerkleRoot, Signature } from '../bytes/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { string, time, uint8, uint32, uint64, uint64Text } from '../codec/scalars.ts';
import { emptyExtensions, struct, vector } from '../codec/structures.ts';
import { sha256 } from '../hashing/hashes.ts';
import { type AccountId, accountIdCodec } from '../objects/identifiers.ts';
import { blockIdCodec, hashCodec, merkleRootCodec, signatureCodec } from '../objects/value-codecs.ts';
import { type ProcessedTransaction, processedTransactionCodec } from '../transactions/transactions.ts';

/** Bytes of a block's header, which is checked before more of the block is buffered. */
export const BLOCK_HEADER_BYTES_MAX = 1_024;

export interface BlockSignature {
  readonly bbaSign: Signature;
  /** Instance of an account, as a uint32. */
  readonly delegate: number;
  readonly fallback: number;
  readonly leader: bigint;
  /** Instance of an account, as a uint32. */
  readonly producer: number;
  readonly step: number;
  readonly value: number;
}

/** The unsigned header: the part of a block that its producer signs. */
export interface BlockHeader {
  readonly previous: BlockId;
  /** The block's number. */
  readonly round: bigint;
  readonly attempt: number;
  /** Unix seconds. */
  readonly timestamp: number;
  /** The producer, which receives the fees. */
  readonly account: AccountId;
  readonly delegate: AccountId;
  readonly transactionMerkleRoot: MerkleRoot;
  /** The first is 64 bytes of hex. Their first 32 bytes are the state root. */
  readonly vmRoot: readonly string[];
  readonly prevSignatures: readonly BlockSignature[];
}

/** A header with its producer's signature, from which a block's id follows. */
export interface SignedBlockHeader extends BlockHeader {
  readonly edSignature: Signature;
  readonly rand: Hash;
  readonly cert: readonly BlockSignature[];
}

/** A block as nodes exchange it: its signed header, and the transactions with their results. */
export interface Block extends SignedBlockHeader {
  readonly transactions: readonly ProcessedTransaction[];
}

/** A signature of the consensus; its names in JSON begin with an underscore. */
const blockSignatureCodec: Codec<BlockSignature> = struct<BlockSignature>(
  'block_signature',
  {
    bbaSign: signatureCodec,
    delegate: uint32,
    fallback: uint32,
    leader: uint64Text,
    producer: uint32,
    step: uint32,
    value: uint8,
  },
  '_',
);

const blockHeaderFields = {
  previous: blockIdCodec,
  round: uint64,
  attempt: uint8,
  timestamp: time,
  account: accountIdCodec,
  delegate: accountIdCodec,
  transactionMerkleRoot: merkleRootCodec,
  vmRoot: vector(string),
  prevSignatures: vector(blockSignatureCodec),
  extensions: emptyExtensions,
};

/** The signed part of a block. */
export const blockHeaderCodec: Codec<BlockHeader> = struct<BlockHeader>('header', blockHeaderFields);

const headerSignatureFields = {
  edSignature: signatureCodec,
  rand: hashCodec,
  cert: vector(blockSignatureCodec),
};

/** The end of a signed header, behind its unsigned part. */
export const headerSignatureCodec = struct<Omit<SignedBlockHeader, keyof BlockHeader>>(
  'header',
  headerSignatureFields,
);

const signedBlockHeaderFields = { ...blockHeaderFields, ...headerSignatureFields };

/** The part of a block that determines its id. */
export const signedBlockHeaderCodec: Codec<SignedBlockHeader> = struct<SignedBlockHeader>(
  'header',
  signedBlockHeaderFields,
);

/** A whole block; the length of its encoding is the block's size. */
export const blockCodec: Codec<Block> = struct<Block>('block', {
  ...signedBlockHeaderFields,
  transactions: vector(processedTransactionCodec),
});

const ID_BYTES = 20;

/**
 * Computes the hash of a registration's work: SHA-256 of the block id, the task's random number and the nonce, both as
 * eight bytes, little endian (their low 64 bits).
 */
export function proofOfWorkHash(blockId: BlockId, randNum: bigint, nonce: bigint): Hash {
  const bytes = new Uint8Array(ID_BYTES + 16);
  bytes.set(blockId);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(ID_BYTES, randNum, true);
  view.setBigUint64(ID_BYTES + 8, nonce, true);
  return sha256(bytes);
}

/** Counts the leading zero bits of a hash: 0 to 256. */
export function leadingZeroBits(hash: Uint8Array): number {
  let bits = 0;
  for (const byte of hash) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
}

/** Returns true if a nonce solves a task of `difficulty` leading zero bits. */
export function solves(blockId: BlockId, randNum: bigint, nonce: bigint, difficulty: number): boolean {
  return leadingZeroBits(proofOfWorkHash(blockId, randNum, nonce)) >= difficulty;
}
