import { type BlockId, LedgerdError } from '../../protocol/index.ts';

/** A followed node does not respond, or sends no blocks. */
export class FollowError extends LedgerdError {
  override readonly code = 'FOLLOW';
}

export interface BlockRequest {
  readonly from: number;
  /** Milliseconds within which the response must begin. */
  readonly beginMs: number;
  readonly stop: AbortController;
  /** Checks the beginning of each block before more of it is read. May throw. */
  checkHead(bytes: Uint8Array): void;
}

/** The response of a source. */
export interface FetchedBlocks {
  /** Reported number of its newest block. */
  readonly head: number;
  readonly headId?: BlockId | undefined;
  /** Serialized blocks, as they arrive. Throws FollowError, and the errors of `checkHead`. */
  readonly blocks: AsyncIterable<Uint8Array>;
}

/** An untrusted source of blocks: the follower checks everything. */
export interface BlockSource {
  /** Address without credentials. */
  readonly url: string;
  /** Fetches blocks in order and without a gap. @throws FollowError, and the reason of an abort */
  fetch(request: BlockRequest): Promise<FetchedBlocks>;
}
