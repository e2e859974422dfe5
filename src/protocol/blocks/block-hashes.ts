import {
  type BlockId,
  concatBytes,
  type Hash,
  type MerkleRoot,
  toBlockId,
  toMerkleRoot,
  writeUint32,
} from '../bytes/bytes.ts';
import { encode, encodeAfter } from '../codec/codec.ts';
import { digest, ripemd160, sha256 } from '../hashing/hashes.ts';
import { type ProcessedTransaction, processedTransactionCodec } from '../transactions/transactions.ts';
import {
  type BlockHeader,
  blockHeaderCodec,
  type SignedBlockHeader,
  signedBlockHeaderCodec,
} from './blocks.ts';

const ID_BYTES = 20;

/**
 * Computes a block's id: the first 20 bytes of SHA-224 of the signed header, the first four replaced by the number, big
 * endian.
 *
 * @param header the signed header, or its encoding
 * @throws {FormatError} for a header that the format cannot hold
 */
export function blockId(number: number, header: SignedBlockHeader | Uint8Array): BlockId {
  const bytes = header instanceof Uint8Array ? header : encode(signedBlockHeaderCodec, header);
  const id = digest('sha224', bytes).slice(0, ID_BYTES);
  writeUint32(id, 0, number);
  return toBlockId(id);
}

/** Returns the number at the beginning of a block's id. */
export function blockNumberOf(id: BlockId): number {
  return new DataView(id.buffer, id.byteOffset, id.byteLength).getUint32(0);
}

/**
 * Computes the digest that `ed_signature` of a block signs: SHA-256 of the chain id and the header.
 *
 * @param header the header, also signed, or the encoding of its unsigned part
 * @throws {FormatError} for a header that the format cannot hold
 */
export function headerDigest(chainId: Hash, header: BlockHeader | Uint8Array): Hash {
  const isBytes = header instanceof Uint8Array;
  return sha256(isBytes ? concatBytes(chainId, header) : encodeAfter(chainId, blockHeaderCodec, header));
}

/**
 * Computes a block's `transaction_merkle_root`: 20 zero bytes without transactions; else the SHA-256 digests of the
 * transactions, hashed in pairs level by level (an odd last one is carried up unchanged), and RIPEMD-160 of the top
 * one.
 *
 * @param transactions processed transactions, or the encoding of each
 * @throws {FormatError} for a transaction that the format cannot hold
 */
export function merkleRoot(
  transactions: readonly Uint8Array[] | readonly ProcessedTransaction[],
): MerkleRoot {
  return merkleRootOf(
    transactions.map((transaction) =>
      sha256(
        transaction instanceof Uint8Array ? transaction : encode(processedTransactionCodec, transaction),
      ),
    ),
  );
}

/** Computes a block's `transaction_merkle_root` from the SHA-256 digests of its processed transactions. */
export function merkleRootOf(digests: readonly Hash[]): MerkleRoot {
  let level: readonly Uint8Array[] = digests;
  while (level.length > 1) level = foldPairs(level);
  const [top] = level;
  return toMerkleRoot(top === undefined ? new Uint8Array(ID_BYTES) : ripemd160(top));
}

function foldPairs(level: readonly Uint8Array[]): Uint8Array[] {
  const next: Uint8Array[] = [];
  let left: Uint8Array | undefined;
  for (const node of level) {
    if (left === undefined) {
      left = node;
    } else {
      next.push(sha256(concatBytes(left, node)));
      left = undefined;
    }
  }
  if (left !== undefined) next.push(left);
  return next;
}
