import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from '../rpc/index.ts';
import type { Connection, Connections } from './connections.ts';

const NO_BODY = new Uint8Array();
/** Characters beyond which an answer leaves the heap as bytes: it may have to wait for a slow client. */
export const LONG_ANSWER_CHARACTERS = 64 * 1024;

/** Prepares the answers to JSON-RPC requests, single or batch. */
export function callServer(
  dispatcher: Dispatcher,
  connections: Connections,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply> {
  return ({ body, raw }, reply) => {
    const connection = connections.of(raw.socket);
    connections.work(connection);
    const answer = dispatcher.handle(body instanceof Uint8Array ? body : NO_BODY, connection);
    if (!(answer instanceof Promise)) return send(reply, answer, connection, connections);
    return answer.then((settled) => send(reply, settled, connection, connections));
  };
}

function send(
  reply: FastifyReply,
  answer: string | undefined,
  connection: Connection,
  connections: Connections,
): FastifyReply {
  // The body, which has done its work.
  connections.release(connection);
  const isLong = answer !== undefined && answer.length > LONG_ANSWER_CHARACTERS;
  const payload = isLong ? Buffer.from(answer) : answer;
  connections.answer(connection, payload?.length ?? 0);
  return payload === undefined ? reply.code(204).send() : reply.type('application/json').send(payload);
}
