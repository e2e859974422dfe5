import { PIECE_BYTES_MIN, SMALL_PIECES_MAX } from '../limits.ts';
import {
  errorObjectOf,
  errorResponse,
  InvalidRequestError,
  LimitError,
  type RpcError,
} from '../rpc/index.ts';
import { HeldLimitError } from '../scheduling/index.ts';
import { type Fields, type HttpAnswer, JSON_TYPE } from './http-answer.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import type { ServerLimits } from './server-limits.ts';

/** Reasons for which bytes are no request: they break the syntax, or the bounds of its parts. */
export type ParseProblem = 'malformed' | 'overflow';

/** Reasons for which a body is not read to its end. */
export type BodyRefusal = 'BODY_TOO_LARGE' | 'TOO_MANY_PIECES' | 'NO_ROOM';

/** The bounds that a refusal names, and who counts it. */
export interface RefusalContext {
  readonly limits: ServerLimits;
  readonly onRefused: (reason: RefusalReason) => void;
}

/** Refuses a request with an HTTP status; the body is a JSON-RPC error that belongs to no request. */
export function refuse(status: number, error: RpcError, fields: Fields = {}): HttpAnswer {
  return {
    status,
    fields: { ...fields, 'content-type': JSON_TYPE },
    body: errorResponse(null, errorObjectOf(error)),
  };
}

/** Refuses a request as the last one of its connection. What is left of it is read when the connection ends. */
export function refuseAndClose(status: number, error: RpcError): HttpAnswer {
  return { ...refuse(status, error), closes: true };
}

/** Refuses a request whose body is not read to its end. */
export function refuseBody(reason: BodyRefusal, { limits, onRefused }: RefusalContext): HttpAnswer {
  switch (reason) {
    case 'BODY_TOO_LARGE': {
      onRefused('bodySize');
      return refuseAndClose(
        413,
        new LimitError(`the body exceeds the limit of ${limits.bodyBytesMax} bytes`),
      );
    }
    case 'TOO_MANY_PIECES':
      onRefused('bodySize');
      return refuseAndClose(400, piecesLimitError());
    case 'NO_ROOM':
      onRefused('memory');
      return refuseAndClose(503, new HeldLimitError(limits.heldBytesMax));
  }
}

function piecesLimitError(): LimitError {
  return new LimitError(
    `the body comes in more than the limit of ${SMALL_PIECES_MAX} pieces of less than ${PIECE_BYTES_MIN} bytes ` +
      'on average: send it in larger ones',
  );
}

/** Refuses bytes that are no HTTP request, which no route ever sees. */
export function refuseBytes(problem: ParseProblem, { limits, onRefused }: RefusalContext): HttpAnswer {
  if (problem === 'overflow') {
    onRefused('headerSize');
    return refuseAndClose(
      431,
      new LimitError(`the headers exceed the limit of ${limits.headerBytesMax} bytes`),
    );
  }
  onRefused('malformed');
  return refuseAndClose(400, new InvalidRequestError('this is not an HTTP request'));
}

/** Refuses a request that did not arrive in time. */
export function refuseLate({ onRefused }: RefusalContext): HttpAnswer {
  onRefused('timeout');
  return refuseAndClose(408, new LimitError('the request took too long to arrive'));
}
