import type { FastifyReply, FastifyRequest } from 'fastify';
import { BLOCK_NUMBER_MAX } from '../limits.ts';
import { type Dispatcher, InvalidRequestError } from '../rpc/index.ts';
import type { Connections } from './connections.ts';
import { refuse } from './refusals.ts';

/** Blocks in a row, as a node that follows takes them. */
export interface BlockFeedAnswer {
  /** Number of the newest block of the chain. */
  readonly head: number;
  readonly bytes: Uint8Array;
}

/** Blocks from a number on; no bytes where there is none yet. */
export type BlockFeed = (from: number) => BlockFeedAnswer;

const NUMBER = /^\d{1,10}$/;

/** Prepares the answers to GET for blocks: their bytes, and the number of the head in the header `ledgerd-head`. */
export function blockServer(
  blockFeed: BlockFeed,
  dispatcher: Dispatcher,
  connections: Connections,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async ({ query, raw }, reply) => {
    const from = readNumber(query);
    if (from === undefined) {
      return refuse(
        reply,
        400,
        new InvalidRequestError('give the number of the first block: /blocks?from=0'),
      );
    }
    const connection = connections.of(raw.socket);
    const refusal = connection.admit?.();
    if (refusal !== undefined) return refuse(reply, 429, refusal);
    connections.work(connection);
    const part = await dispatcher.takeTurn(connection, () => blockFeed(from));
    if (part === undefined) return reply.code(204).send();
    connections.answer(connection, part.bytes.length);
    return reply
      .type('application/octet-stream')
      .header('ledgerd-head', String(part.head))
      .send(Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.byteLength));
  };
}

function readNumber(query: unknown): number | undefined {
  const { from } = (query ?? {}) as { from?: unknown };
  if (typeof from !== 'string' || !NUMBER.test(from)) return undefined;
  const number = Number(from);
  return number <= BLOCK_NUMBER_MAX ? number : undefined;
}
