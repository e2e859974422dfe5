import { string } from '../codec/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { vector } from '../codec/collections.ts';
import { time, uint8, uint32, uint64, uint64Text } from '../codec/numbers.ts';
import { emptyExtensions, struct } from '../codec/structures.ts';
import { accountIdCodec } from '../objects/identifier-codecs.ts';
import type { AccountId } from '../objects/identifiers.ts';
import { blockIdCodec, hashCodec, merkleRootCodec, signatureCodec } from '../objects/value-codecs.ts';
import { type ProcessedTransaction, processedTransactionCodec } from '../transactions/transactions.ts';
import type { BlockId, Hash, MerkleRoot, Signature } from '../values.ts';

/** A signature of the consensus on a block. */
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
  /** The first is 64 bytes of hex whose first 32 are the root of the state. */
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

const signedBlockHeaderFields = {
  ...blockHeaderFields,
  edSignature: signatureCodec,
  rand: hashCodec,
  cert: vector(blockSignatureCodec),
};

/** The part of a block that its id hashes. */
export const signedBlockHeaderCodec: Codec<SignedBlockHeader> = struct<SignedBlockHeader>(
  'header',
  signedBlockHeaderFields,
);

/** A whole block; the length of its encoding is the block's size. */
export const blockCodec: Codec<Block> = struct<Block>('block', {
  ...signedBlockHeaderFields,
  transactions: vector(processedTransactionCodec),
});
