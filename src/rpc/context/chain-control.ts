import type { BlockTiming } from '../../ledger/index.ts';

/** When blocks are made: at once for what is sent, at an interval, or only for a call that asks for them. */
export type MiningMode = 'instant' | 'interval' | 'manual';

/** Milliseconds from one block to the next: drawn anew for each block where the two differ. */
export interface BlockInterval {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/** How blocks of a test chain come about: a value, so that it can be kept and come back as a whole. */
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

/** Blocks that a call asks for. */
export interface BlockOrder {
  readonly count: number;
  /** Of the first one, in Unix seconds, not before the head's; undefined: what the clock says. */
  readonly timestamp?: number | undefined;
  /** Seconds that pass before the first one; undefined: none. */
  readonly lead?: number | undefined;
  /** Seconds from each of them to the next; undefined: each has the time that the clock says. */
  readonly step?: number | undefined;
}

/** Rules over the blocks of a test chain. */
export interface ChainControl {
  readonly state: ControlState;
  /** Brings a state of before back. */
  restore(state: ControlState): void;
  startMining(): void;
  stopMining(): void;
  /** On: blocks come at once. Off: they come at the interval that was set, or not by themselves. */
  setAutomine(isOn: boolean): void;
  /** Blocks come at an interval from now on; undefined ends that. */
  setInterval(interval: BlockInterval | undefined): void;
  /** Sets the time of the next block alone, or the seconds from each block to the next; undefined: neither. */
  setBlockTimes(times: Partial<Pick<BlockTiming, 'nextTimestamp' | 'timestampInterval'>>): void;
  /** Makes it so late now, in Unix seconds. Throws RefusedError for what no block may have. */
  setTime(time: number): void;
  /** Moves the time forward; returns the total adjustment in seconds. Throws RefusedError as `setTime`. */
  increaseTime(seconds: number): number;
  setGasLimit(gasLimit: bigint | undefined): void;
  /**
   * Makes blocks, many of them in slices between which everything else gets its turn.
   *
   * @throws RefusedError for times that no block may have, and when the node stops in between; and what making a
   *   block throws. Blocks that are made stay.
   */
  mine(order: BlockOrder): void | Promise<void>;
  /** When the newest block was made, in Unix milliseconds of the machine's clock. */
  readonly lastBlockWallTime: number;
  /** Whether blocks and failed calls are written to the node's log. */
  setLogging(isOn: boolean): void;
}
