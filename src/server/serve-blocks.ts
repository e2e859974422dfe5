import { type BlockId, bytesToHex } from '../protocol/index.ts';
import { type Dispatcher, InvalidRequestError, ownBody, RpcError } from '../rpc/index.ts';
import type { Stopwatch } from '../time/time.ts';
import { type Handler, type HttpResponse, refuse } from './http-response.ts';
import { readBlockNumber } from './min-block-waiters.ts';
import { scheduledResponse } from './scheduled-response.ts';

/** Consecutive blocks for a follower. */
interface BlockFeedResponse {
  /** Number of the newest block of the chain. */
  readonly head: number;
  readonly headId?: BlockId | undefined;
  readonly bytes: Uint8Array;
}

/** Returns blocks from a number on; no bytes if that block does not exist yet. */
export type BlockFeed = (from: number) => BlockFeedResponse;

/** Header with an id that a follower draws at its start, since several may have one address. */
export const FOLLOWER_HEADER = 'ledgerd-follower';
/** Milliseconds after its last request for which a follower counts: it asks at least once a second. */
const FOLLOWER_SILENCE_MS_MAX = 10_000;
const FOLLOWERS_MAX = 256;
const FOLLOWER_ID = /^[0-9a-f]{16}$/;

/** The nodes that have asked for blocks lately. */
export class Followers {
  readonly #time: Stopwatch;
  /** Times of their last requests by address and id, the earliest first. */
  readonly #seen = new Map<string, number>();

  constructor(time: Stopwatch) {
    this.#time = time;
  }

  get count(): number {
    this.#forgetSilent();
    return this.#seen.size;
  }

  /** Notes a request for blocks. Without a valid id, all followers of an address are one. */
  note(client: string, id = ''): void {
    this.#forgetSilent();
    const key = `${client} ${FOLLOWER_ID.test(id) ? id : ''}`;
    this.#seen.delete(key);
    if (this.#seen.size < FOLLOWERS_MAX) this.#seen.set(key, this.#time.now());
  }

  #forgetSilent(): void {
    const since = this.#time.now() - FOLLOWER_SILENCE_MS_MAX;
    for (const [key, seen] of this.#seen) {
      if (seen >= since) return;
      this.#seen.delete(key);
    }
  }
}

/** A block follows a change of the state that no block contains, so that no follower could apply it. */
export class PatchedBlockError extends RpcError {
  override readonly code = 'PATCHED_BLOCK';
  override readonly rpcCode = -32000;

  constructor(number: number) {
    super(
      `block ${number} follows changes of the state by test methods, which blocks do not contain: ` +
        'copy the chain by `ledgerd export` and `ledgerd import`, or by a dump',
    );
  }
}

/**
 * Responds with the bytes of blocks, and the number and id of the head in the headers `ledgerd-head` and
 * `ledgerd-head-id`.
 */
export function blockFeedHandler(
  blockFeed: BlockFeed,
  dispatcher: Dispatcher,
  followers: Followers | undefined,
): Handler {
  return async (request) => {
    const [text = '', ...others] = new URLSearchParams(request.query).getAll('from');
    const from = others.length > 0 ? undefined : readBlockNumber(text);
    if (from === undefined) {
      return refuse(400, new InvalidRequestError('give the number of the first block: /blocks?from=0'));
    }
    followers?.note(request.connection.client, request.headers[FOLLOWER_HEADER]);
    try {
      return await scheduledResponse(request, dispatcher, () => responseOf(blockFeed(from)));
    } catch (error) {
      if (error instanceof PatchedBlockError) return refuse(409, error);
      throw error;
    }
  };
}

function responseOf({ head, headId, bytes }: BlockFeedResponse): HttpResponse {
  const headers = {
    'content-type': 'application/octet-stream',
    'ledgerd-head': String(head),
    ...(headId === undefined ? {} : { 'ledgerd-head-id': bytesToHex(headId) }),
  };
  return { status: 200, headers, body: ownBody(bytes) };
}
