import { type BlockId, LedgerdError } from '../../protocol/index.ts';
import type { AppendOutcome } from '../block-pipeline.ts';

/** The log is unavailable, or the outcome of an append is unknown. The caller retries with the same block. */
export class BlockLogUnavailableError extends LedgerdError {
  override readonly code = 'LOG_UNAVAILABLE';
}

/** The log changed its past, or is not safe to use: the node halts until an operator has acted. */
export class BlockLogUnsoundError extends LedgerdError {
  override readonly code = 'LOG_UNSOUND';
}

/** The one order of a chain's blocks. Appending is compare-and-append: it succeeds for one block at each number. */
export interface BlockLog {
  /** Its address without credentials. */
  readonly url: string;
  /** Number of changes of its leader since it was opened. */
  readonly elections: number;
  /**
   * Appends a block after its parent. The outcome is certain, as the log's leader decides.
   * @throws BlockLogUnavailableError when the outcome is unknown, BlockLogUnsoundError
   */
  append(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome>;
  /**
   * Returns the number of the newest block, as the log's leader has it; 0 for an empty log.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  head(): Promise<number>;
  /**
   * Returns serialized blocks from a number on, in order and without a gap, then new ones, until the signal is aborted.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  read(from: number, stop: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Carries messages of one kind between the nodes of a chain, each at most once. */
export interface MessageExchange {
  /** Sends a message to all other nodes that listen. May lose it silently. */
  publish(message: Uint8Array): void;
  /** Calls back with messages of other nodes. Returns the function that ends it. */
  onMessage(listener: (message: Uint8Array) => void): () => void;
}

/** Queries a block log; on an error of the log adds it to the problems and returns undefined. */
export async function collectProblem<T>(
  problems: string[],
  ask: () => Promise<T> | T,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
