import { BLOCK_NUMBER_MAX } from '../consensus.ts';
import { type BlockId, bytesToHex } from '../protocol/index.ts';
import { type Dispatcher, InvalidRequestError, LimitError, ownBody, RpcError } from '../rpc/index.ts';
import type { Connections } from './connections.ts';
import type { Handler } from './http-answer.ts';
import { refuse } from './refusals.ts';

/** Blocks in a row, as a node that follows takes them. */
export interface BlockFeedAnswer {
  /** Number of the newest block of the chain. */
  readonly head: number;
  /** Id of that block. */
  readonly headId?: BlockId | undefined;
  readonly bytes: Uint8Array;
}

/** Blocks from a number on; no bytes where there is none yet. */
export type BlockFeed = (from: number) => BlockFeedAnswer;

/** The state was changed without a block before this one, which nobody who follows by blocks can know. */
export class PatchedBlockError extends RpcError {
  override readonly code = 'PATCHED_BLOCK';
  override readonly rpcCode = -32000;

  constructor(number: number) {
    super(
      `block ${number} follows changes of the state that a test has made without a block, which blocks do not carry: ` +
        'take the chain by `ledgerd export` and `ledgerd import`, or by a dump',
    );
  }
}

const NUMBER = /^\d{1,10}$/;

/**
 * Prepares the responses to GET for blocks: their bytes, and number and id of the head in the headers `ledgerd-head`
 * and `ledgerd-head-id`.
 */
export function blockServer(blockFeed: BlockFeed, dispatcher: Dispatcher, connections: Connections): Handler {
  return async ({ connection, query }) => {
    const from = readNumber(query);
    if (from === undefined) {
      return refuse(400, new InvalidRequestError('give the number of the first block: /blocks?from=0'));
    }
    const refusal = connection.admit?.();
    if (refusal !== undefined) return refuse(429, refusal);
    if (!connection.account.mayBegin()) return refuse(503, connection.account.refusal);
    connections.work(connection);
    let part: BlockFeedAnswer | undefined;
    try {
      part = await dispatcher.takeTurn(connection, () => blockFeed(from));
    } catch (error) {
      if (error instanceof PatchedBlockError) return refuse(409, error);
      if (!(error instanceof LimitError)) throw error;
      return refuse(503, error);
    }
    if (part === undefined) return { status: 204 };
    const { head, headId, bytes: body } = part;
    const fields = {
      'content-type': 'application/octet-stream',
      'ledgerd-head': String(head),
      ...(headId === undefined ? {} : { 'ledgerd-head-id': bytesToHex(headId) }),
    };
    return { status: 200, fields, body: ownBody(body) };
  };
}

function readNumber(query: string): number | undefined {
  const [text = '', ...others] = new URLSearchParams(query).getAll('from');
  if (others.length > 0 || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  return number <= BLOCK_NUMBER_MAX ? number : undefined;
}
