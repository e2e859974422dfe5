/** Blocks: headers, ids, Merkle roots, proof of work, and blocks in a stream. */

export { FrameReader, frameBlocks } from './block-frames.ts';
export { blockId, blockNumberOf, headerDigest, merkleRoot } from './block-hashes.ts';
export {
  type Block,
  type BlockHeader,
  type BlockSignature,
  blockCodec,
  blockHeaderCodec,
  type SignedBlockHeader,
  signedBlockHeaderCodec,
} from './blocks.ts';
export { leadingZeroBits, proofOfWorkHash, solves } from './proof-of-work.ts';
