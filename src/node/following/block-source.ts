import { type BlockId, LedgerdError } from '../../protocol/index.ts';

/** A followed node does not answer, or sends no blocks. */
export class FollowError extends LedgerdError {
  override readonly code = 'FOLLOW';
}

export interface BlockRequest {
  readonly from: number;
  /** Milliseconds within which the response has to begin. */
  readonly beginMs: number;
  readonly stop: AbortController;
  /** Checks the beginning of each block before more of it is kept, and may throw. */
  checkHead(bytes: Uint8Array): void;
}

/** The response of a source. */
export interface FetchedBlocks {
  /** Number of its newest block, as it reports it. */
  readonly head: number;
  /** Id of that block, as the source reports it; absent: it reports none. */
  readonly headId?: BlockId | undefined;
  /** Its serialized blocks, as they arrive. Throws FollowError, and what `checkHead` throws. */
  readonly blocks: AsyncIterable<Uint8Array>;
}

/** A source of blocks that are made elsewhere. It is not trusted: the follower checks everything. */
export interface BlockSource {
  /** Its address without credentials. */
  readonly url: string;
  /**
   * Requests the blocks from a number on, in order and without a gap.
   * @throws FollowError without a useful response, and the reason of an abort
   */
  ask(request: BlockRequest): Promise<FetchedBlocks>;
}
