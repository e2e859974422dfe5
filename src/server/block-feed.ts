import { type BlockId, bytesToHex } from '../protocol/index.ts';
import { type Dispatcher, InvalidRequestError, LimitError, ownBody, RpcError } from '../rpc/index.ts';
import { type Handler, refuse } from './http-response.ts';
import { readBlockNumber } from './rpc-handler.ts';

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
  return async ({ connection, query }) => {
    const [text = '', ...others] = new URLSearchParams(query).getAll('from');
    const from = others.length > 0 ? undefined : readBlockNumber(text);
    if (from === undefined) {
      return refuse(400, new InvalidRequestError('give the number of the first block: /blocks?from=0'));
    }
    const refusal = connection.admit?.();
    if (refusal !== undefined) return refuse(429, refusal);
    if (!connection.budget.mayBegin()) return refuse(503, connection.budget.refusal);
    connection.state = 'working';
    let part: BlockFeedResponse | undefined;
    try {
      part = await dispatcher.schedule(connection, () => blockFeed(from));
    } catch (error) {
      if (error instanceof PatchedBlockError) return refuse(409, error);
      if (!(error instanceof LimitError)) throw error;
      return refuse(503, error);
    }
    if (part === undefined) return { status: 204 };
    const { head, headId, bytes: body } = part;
    const headers = {
      'content-type': 'application/octet-stream',
      'ledgerd-head': String(head),
      ...(headId === undefined ? {} : { 'ledgerd-head-id': bytesToHex(headId) }),
    };
    return { status: 200, headers, body: ownBody(body) };
  };
}
