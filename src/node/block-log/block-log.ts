import { type BlockId, LedgerdError } from '../../protocol/index.ts';
import type { AppendOutcome } from '../ledger-work.ts';

/**
 * The log cannot be asked, or cannot say what became of an append. Whoever appended asks again with the same block.
 */
export class BlockLogUnavailableError extends LedgerdError {
  override readonly code = 'LOG_UNAVAILABLE';
}

/**
 * The log is not what it was, or not safe to use: nothing is made or taken over any more before an operator has looked.
 */
export class BlockLogUnsoundError extends LedgerdError {
  override readonly code = 'LOG_UNSOUND';
}

/** The one order of a chain's blocks. Appending is compare-and-append: it succeeds for one block at each number. */
export interface BlockLog {
  /** Where it is, as operators know it. */
  readonly url: string;
  /** How often it was seen to have another leader since it was opened. */
  readonly elections: number;
  /**
   * Gives a block its place after its parent. An outcome is only told when it is certain, by the log's leader.
   *
   * @throws BlockLogUnavailableError when nobody can say what became of it, BlockLogUnsoundError
   */
  append(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome>;
  /**
   * The number of the newest block, as the log's leader says; 0 while there is none but the genesis.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  head(): Promise<number>;
  /**
   * Serialized blocks from a number on, in order and without a gap, then those that come, until the signal is aborted.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  read(from: number, stop: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Carries messages of one kind between the nodes of a chain, each at most once. */
export interface MessageExchange {
  /** Sends a message to all other nodes that listen. May lose it without a word. */
  publish(message: Uint8Array): void;
  /** Calls back with what others send. Returns the function that ends it. */
  onMessage(listener: (message: Uint8Array) => void): () => void;
  close(): Promise<void>;
}
