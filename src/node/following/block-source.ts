import { type BlockId, LedgerdError } from '../../protocol/index.ts';

/** A followed node does not answer, or answers something else than blocks. */
export class FollowError extends LedgerdError {
  override readonly code = 'FOLLOW';
}

/** What a follower asks another node for, and how long it waits for that. */
export interface BlockRequest {
  /** Number of the first block. */
  readonly from: number;
  /** Milliseconds within which the answer has to begin. */
  readonly beginMs: number;
  /** Ends the request when it is aborted. */
  readonly stop: AbortController;
  /** Looks at the beginning of each block before more of it is kept, and may throw. */
  checkHead(bytes: Uint8Array): void;
}

/** What a source of blocks answered. */
export interface FetchedBlocks {
  /** What it says the number of its newest block is. */
  readonly head: number;
  /** Id of that block, as the source reports it; absent: it reports none. */
  readonly headId?: BlockId | undefined;
  /** Its serialized blocks, as they come. Throws FollowError, and what `checkHead` throws. */
  readonly blocks: AsyncIterable<Uint8Array>;
}

/**
 * Where blocks come from that are made elsewhere. Nothing that it gives is believed: whoever asks checks it all.
 */
export interface BlockSource {
  /** Where it is, as operators know it. */
  readonly url: string;
  /**
   * Asks for the blocks from a number on. What there is of them comes in order, and without a gap.
   *
   * @throws FollowError when there is no answer of use, and what the request is aborted with
   */
  ask(request: BlockRequest): Promise<FetchedBlocks>;
}
