import { BLOCK_NUMBER_MAX } from '../consensus.ts';
import { LONG_ANSWER_CHARACTERS } from '../limits.ts';
import {
  type Answer,
  type Dispatcher,
  FORWARDED_FIELD,
  InvalidRequestError,
  LongAnswer,
  type ProfileId,
  type Response,
  StreamedAnswer,
} from '../rpc/index.ts';
import type { Connections } from './connections.ts';
import { HEAD_FIELD, readMinBlock } from './head-fields.ts';
import type { HeadWaits } from './head-waits.ts';
import { type Handler, type HttpAnswer, type HttpRequest, JSON_TYPE } from './http-answer.ts';
import { refuse } from './refusals.ts';

/** What calls pass on their way to the dispatcher, over whichever transport. */
export interface CallService {
  readonly dispatcher: Dispatcher;
  readonly connections: Connections;
  readonly waits: HeadWaits;
}

/** Prepares the responses to JSON-RPC requests, single or batch, in the shapes of a profile. */
export function callServer({ dispatcher, connections, waits }: CallService, profile: ProfileId): Handler {
  // What the newest block is after it was answered: nothing in the response is of a later one.
  const answerOf = (response: Answer): HttpAnswer => {
    const head = { [HEAD_FIELD]: String(waits.head) };
    if (response === undefined) return { status: 204, fields: head };
    const fields = { ...head, 'content-type': JSON_TYPE };
    if (response instanceof StreamedAnswer) return { status: 200, fields, pieces: response };
    return { status: 200, fields, body: bytesIfLong(response) };
  };
  const handle = ({ connection, body, takesPieces }: HttpRequest): HttpAnswer | Promise<HttpAnswer> => {
    const answer = takesPieces
      ? dispatcher.handleInPieces(body, connection, profile)
      : dispatcher.handle(body, connection, profile);
    return answer instanceof Promise ? answer.then(answerOf) : answerOf(answer);
  };
  return (request) => {
    const { connection, headers, minBlock } = request;
    connections.work(connection);
    connection.hops = hopsOf(headers[FORWARDED_FIELD]);
    if (minBlock === undefined) return handle(request);
    const number = readMinBlock(minBlock);
    if (number === undefined) return refuseMinBlock();
    if (number <= waits.head) return handle(request);
    return waits.reach(number, connection).then((refusal) => refusal ?? handle(request));
  };
}

/** Returns how often followers have forwarded a request; what is no such number is beyond every bound. */
function hopsOf(field: string | string[] | undefined): number {
  if (field === undefined) return 0;
  return typeof field === 'string' && /^\d$/.test(field) ? Number(field) : Number.POSITIVE_INFINITY;
}

/** The answer to a request whose field names no block. */
function refuseMinBlock(): HttpAnswer {
  return refuse(
    400,
    new InvalidRequestError(
      `the header Ledgerd-Min-Block has to be the number of a block, in decimal digits, at most ${BLOCK_NUMBER_MAX}`,
    ),
  );
}

/** Whether a response is a long one. */
export function isLong(answer: Response): boolean {
  return answer !== undefined && (answer instanceof LongAnswer || answer.length > LONG_ANSWER_CHARACTERS);
}

/** Takes a long response out of the heap, since it may have to wait for a slow client. */
export function bytesIfLong<T extends Response>(answer: T): T | Buffer {
  return typeof answer === 'string' && isLong(answer) ? Buffer.from(answer) : answer;
}

/** The pieces of the body of a response; undefined for a text, which is short. */
export function piecesOf(body: string | Uint8Array | LongAnswer): readonly Buffer[] | undefined {
  if (body instanceof LongAnswer) return body.pieces.map(({ bytes }) => bytes);
  if (typeof body === 'string') return undefined;
  return [Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
}

/** Bytes of a body that are there for one response alone. */
export function ownBytesOf(body: string | Uint8Array | LongAnswer): number {
  return body instanceof LongAnswer ? body.ownBytes : body.length;
}
