import type { BlockInterval, BlockTiming, Mining } from '../../ledger/index.ts';

/** Settings of block production, which snapshots save and restore as a whole. */
export interface ControlState extends Mining {
  readonly timing: BlockTiming;
  /** Gas limit of a block; undefined: none. */
  readonly gasLimit: bigint | undefined;
}

export interface BlockOrder {
  readonly count: number;
  /** Time stamp of the first block, in Unix seconds, not before that of the head; undefined: by the clock. */
  readonly timestamp?: number | undefined;
  /** Seconds before the first block; undefined: none. */
  readonly lead?: number | undefined;
  /** Seconds between the blocks; undefined: by the clock. */
  readonly step?: number | undefined;
}

export interface ChainControl {
  readonly state: ControlState;
  startMining(): void;
  stopMining(): void;
  /** True: makes a block after each transaction. False: only at the last interval, or on request. */
  setAutomine(isOn: boolean): void;
  /** Makes blocks at an interval; undefined: ends this. */
  setInterval(interval: BlockInterval | undefined): void;
  /** Sets the time stamp of the next block, or the seconds between blocks; undefined clears them. */
  setBlockTimes(times: Partial<Pick<BlockTiming, 'nextTimestamp' | 'timestampInterval'>>): void;
  /** Ends the seconds between blocks; the next block is after the newest one. Returns false if none were set. */
  removeTimestampInterval(): boolean;
  /** Sets the present time, in Unix seconds. @throws RefusedError for a time that no block may have */
  setTime(time: number): void;
  /** Moves the time forward. Returns the total adjustment in seconds. @throws RefusedError as `setTime` */
  increaseTime(seconds: number): number;
  setGasLimit(gasLimit: bigint | undefined): void;
  /**
   * Makes blocks, many of them in time slices. Blocks before an error stay.
   *
   * @throws RefusedError for times that no block may have, and if the node stops; and as making a block
   */
  mine(order: BlockOrder): void | Promise<void>;
  /** Time of the newest block, in Unix milliseconds of the machine's clock. */
  readonly lastBlockWallTime: number;
  setLogging(isOn: boolean): void;
}
