/**
 * The scratch memory of this folder. Values derived from secrets are only here, in the state of the hash, or in locals,
 * so that `wipe` removes all of them from the memory.
 */
import { wipeState } from '../keccak-permutation';
import { beginDigest } from '../sha3-512';

const SCRATCH_BYTES: usize = 1552;
const SCRATCH: usize = memory.data(1552, 16);

/** Inputs and outputs of the caller: a key, a signature and similar values in 160 bytes, and a chunk of a message. */
const EXCHANGE_BYTES: usize = 1184;
export const EXCHANGE: usize = memory.data(1184, 16);

/** field.ts: an element. */
export const FIELD_SCRATCH: usize = SCRATCH;
/** powers.ts: seven elements. */
export const POWERS_SCRATCH: usize = SCRATCH + 48;
/** points.ts: eight elements, a point, and 32 bytes. */
export const POINTS_SCRATCH: usize = SCRATCH + 336;
/** scalars.ts: 60 limbs of 32 bits. */
export const SCALARS_SCRATCH: usize = SCRATCH + 848;
/** base-multiple.ts: 64 digits, and an entry of 128 bytes. */
export const MULTIPLE_SCRATCH: usize = SCRATCH + 1104;
/** index.ts: a digest of 64 bytes, a scalar, and a point. */
export const SIGNING_SCRATCH: usize = SCRATCH + 1296;

/** Clears all memory that depends on secrets. */
export function wipe(): void {
  memory.fill(SCRATCH, 0, SCRATCH_BYTES);
  memory.fill(EXCHANGE, 0, EXCHANGE_BYTES);
  beginDigest();
  wipeState();
}
