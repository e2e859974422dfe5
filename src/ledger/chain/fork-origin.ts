import type { Hash } from '../../protocol/index.ts';

/** A block of another chain. Its number is that of the genesis block, and its time the time of the genesis. */
export interface ForkOrigin {
  readonly number: number;
  readonly hash: Hash;
  readonly stateRoot: Hash;
  /** Excess of blob gas before the first block of this chain (EIP-4844). */
  readonly excessBlobGas: bigint;
  /** True if the store has the whole state, as after a state dump was loaded. Absent: the remote chain has the rest. */
  readonly isWhole?: boolean | undefined;
}
