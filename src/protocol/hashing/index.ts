/** Hash functions, and the 32-byte hashes that the interface shows. */

export { digest, ripemd160, sha256 } from './digests.ts';
export {
  blockHashOf,
  blockIdOfHash,
  pendingTransactionHash,
  processedTransactionHash,
  splitTransactionHash,
} from './interface-hashes.ts';
export { keccak256 } from './keccak256.ts';
export { LATTICE_STATE_BYTES, LatticeAccumulator } from './lattice-accumulator.ts';
