import { type BlockId, bytesToHex } from '../protocol/index.ts';
import { type Dispatcher, InvalidRequestError, ownBody, RpcError } from '../rpc/index.ts';
import { type Handler, type HttpResponse, refuse } from './http-response.ts';
import { readBlockNumber } from './rpc-handler.ts';
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
export function blockFeedHandler(blockFeed: BlockFeed, dispatcher: Dispatcher): Handler {
  return async (request) => {
    const [text = '', ...others] = new URLSearchParams(request.query).getAll('from');
    const from = others.length > 0 ? undefined : readBlockNumber(text);
    if (from === undefined) {
      return refuse(400, new InvalidRequestError('give the number of the first block: /blocks?from=0'));
    }
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
