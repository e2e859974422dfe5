import type { BlockTiming } from '../../ledger/index.ts';

/** Block production: at once for sent transactions, at an interval, or on request. */
export type MiningMode = 'instant' | 'interval' | 'manual';

/** Milliseconds from one block to the next: drawn anew for each block where the two differ. */
export interface BlockInterval {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/** Settings of block production: a value, so that it is saved and restored as a whole. */
export interface ControlState {
  readonly mode: MiningMode;
  /** The one that was set last, also while another mode is on; undefined: none. */
  readonly interval: BlockInterval | undefined;
  /** The mode that starting to mine brings back. */
  readonly resumes: Exclude<MiningMode, 'manual'>;
  readonly timing: BlockTiming;
  /** Gas that a block may take; undefined: any. */
  readonly gasLimit: bigint | undefined;
}

/** Blocks that a call requests. */
export interface BlockOrder {
  readonly count: number;
  /** Of the first one, in Unix seconds, not before that of the head; undefined: by the clock. */
  readonly timestamp?: number | undefined;
  /** Seconds that pass before the first one; undefined: none. */
  readonly lead?: number | undefined;
  /** Seconds from each of them to the next; undefined: by the clock. */
  readonly step?: number | undefined;
}

/** Rules over the blocks of a test chain. */
export interface ChainControl {
  readonly state: ControlState;
  restore(state: ControlState): void;
  startMining(): void;
  stopMining(): void;
  /** On: blocks are made at once. Off: at the last interval, or on request. */
  setAutomine(isOn: boolean): void;
  /** Makes blocks at an interval from now on; undefined ends that. */
  setInterval(interval: BlockInterval | undefined): void;
  /** Sets the time of the next block alone, or the seconds from each block to the next; undefined: neither. */
  setBlockTimes(times: Partial<Pick<BlockTiming, 'nextTimestamp' | 'timestampInterval'>>): void;
  /** Sets the present time, in Unix seconds. Throws RefusedError for a time that no block may have. */
  setTime(time: number): void;
  /** Moves the time forward; returns the total adjustment in seconds. Throws RefusedError as `setTime`. */
  increaseTime(seconds: number): number;
  setGasLimit(gasLimit: bigint | undefined): void;
  /**
   * Makes blocks, many of them in slices between which other work runs.
   *
   * @throws RefusedError for times that no block may have, and if the node stops; and as making a block. Blocks that
   *   were made stay.
   */
  mine(order: BlockOrder): void | Promise<void>;
  /** Time of the newest block, in Unix milliseconds of the machine's clock. */
  readonly lastBlockWallTime: number;
  /** Turns the log of blocks and failed calls on or off. */
  setLogging(isOn: boolean): void;
}
