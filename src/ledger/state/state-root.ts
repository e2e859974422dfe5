import type { BlockHeader, Hash } from '../../protocol/index.ts';
import { LatticeAccumulator } from '../../protocol/index.ts';
import type { StateChange, StateEntry } from '../../store/index.ts';

/** Digits of the state root in a block's `vm_root`; the digest of the receipts follows. */
export const ROOT_DIGITS = 64;

/** The commitment to the whole state after some changes to it. */
export interface StateCommitment {
  /** State of the lattice accumulator, 2,048 bytes: what the next block continues from. */
  readonly accumulator: Uint8Array;
  readonly root: Hash;
}

/**
 * Applies changes to the lattice hash of the state. The root depends on the content of the state alone, not on
 * the order or the history of changes.
 */
export function commitChanges(
  previous: Uint8Array | undefined,
  changes: readonly StateChange[],
): StateCommitment {
  const lattice = new LatticeAccumulator(previous);
  for (const { key, before, after } of changes) {
    if (before !== undefined) lattice.remove(key, before);
    if (after !== undefined) lattice.add(key, after);
  }
  return { accumulator: lattice.state(), root: lattice.digest() };
}

/** The root of a whole state, from a scan of all its entries. */
export function rootOfEntries(entries: Iterable<StateEntry>): Hash {
  const lattice = new LatticeAccumulator();
  for (const { key, value } of entries) lattice.add(key, value);
  return lattice.digest();
}

/** The root of the state after a block, as its header gives it, in hexadecimal. */
export function stateRootOf({ vmRoot: [root = ''] }: Pick<BlockHeader, 'vmRoot'>): string {
  return root.slice(0, ROOT_DIGITS);
}
