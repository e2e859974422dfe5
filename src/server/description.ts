import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Dispatcher, InternalError } from '../rpc/index.ts';
import { refuse } from './refusals.ts';

/** What asks a dispatcher for the description of its interface. */
const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"rpc_discover"}';

/**
 * Prepares the answer to GET for the description of the interface: what `rpc_discover` answers. The dispatcher
 * is asked once; a failure is asked again at the next request.
 */
export function descriptionServer(
  dispatcher: Dispatcher,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let description: string | undefined;
  return async (_request, reply) => {
    description ??= descriptionIn(await dispatcher.handle(REQUEST));
    if (description === undefined) return refuse(reply, 500, new InternalError());
    return reply.type('application/json').send(description);
  };
}

/** The result of an answer, as JSON; undefined for an error. */
function descriptionIn(answer: string | undefined): string | undefined {
  const { result }: { result?: unknown } = JSON.parse(answer ?? '{}');
  return result === undefined ? undefined : JSON.stringify(result);
}
