import { LONG_ANSWER_CHARACTERS } from '../limits.ts';
import type { Dispatcher, Profile, Response } from '../rpc/index.ts';
import type { Connections } from './connections.ts';
import { type Handler, type HttpAnswer, JSON_TYPE } from './http-answer.ts';

/** Prepares the responses to JSON-RPC requests, single or batch, in the shapes of a profile. */
export function callServer(dispatcher: Dispatcher, connections: Connections, profile: Profile): Handler {
  return ({ connection, body }) => {
    connections.work(connection);
    const answer = dispatcher.handle(body, connection, profile);
    return answer instanceof Promise ? answer.then(answerOf) : answerOf(answer);
  };
}

function answerOf(response: Response): HttpAnswer {
  if (response === undefined) return { status: 204 };
  return { status: 200, fields: { 'content-type': JSON_TYPE }, body: bytesIfLong(response) };
}

/** Whether there is a response, and a long one. */
export function isLong(answer: Response): answer is string | Buffer {
  return answer !== undefined && answer.length > LONG_ANSWER_CHARACTERS;
}

/** Takes a long response out of the heap, since it may have to wait for a slow client. */
export function bytesIfLong(answer: string | Buffer): string | Buffer {
  return typeof answer === 'string' && isLong(answer) ? Buffer.from(answer) : answer;
}
