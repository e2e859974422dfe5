import { BLOCK_NUMBER_MAX } from '../consensus.ts';
import { LONG_ANSWER_CHARACTERS } from '../limits.ts';
import {
  type Dispatcher,
  FORWARDED_FIELD,
  InvalidRequestError,
  ownBody,
  type ProfileId,
  type Response,
  type ResponseBody,
} from '../rpc/index.ts';
import { HEAD_FIELD, type HeadWaits, readBlockNumber } from './head-waits.ts';
import {
  type Fields,
  type Handler,
  type HttpAnswer,
  type HttpRequest,
  JSON_TYPE,
  refuse,
} from './http-answer.ts';

/** The field of a request with the number of the block that has to be here before the response. */
const MIN_BLOCK_FIELD = 'ledgerd-min-block';

/** Prepares the responses to JSON-RPC requests, single or batch, in the shapes of a profile. */
export function callServer(dispatcher: Dispatcher, waits: HeadWaits, profile: ProfileId): Handler {
  const { head } = waits;
  let block = -1;
  let fields: Fields = {};
  /** Returns the fields of a response; the same object until there is a newer block. */
  const fieldsNow = (): Fields => {
    const number = head.number();
    if (number !== block) {
      block = number;
      fields = { [HEAD_FIELD]: String(block), 'content-type': JSON_TYPE };
    }
    return fields;
  };
  // The newest block after the calls: nothing in the response is of a later one.
  const answerOf = (response: Response): HttpAnswer => {
    if (response === undefined) return { status: 204, fields: { [HEAD_FIELD]: String(head.number()) } };
    return { status: 200, fields: fieldsNow(), body: bytesIfLong(response) };
  };
  const handle = ({ connection, body }: HttpRequest): HttpAnswer | Promise<HttpAnswer> => {
    const answer = dispatcher.handle(body, connection, profile);
    return answer instanceof Promise ? answer.then(answerOf) : answerOf(answer);
  };
  return (request) => {
    const { connection, headers } = request;
    connection.state = 'working';
    const minBlock = headers[MIN_BLOCK_FIELD];
    connection.hops = hopsOf(headers[FORWARDED_FIELD]);
    if (minBlock === undefined) return handle(request);
    const number = readBlockNumber(minBlock);
    if (number === undefined) return refuseMinBlock();
    if (number <= head.number()) return handle(request);
    return waits.reach(number, connection).then((refusal) => refusal ?? handle(request));
  };
}

/** Returns how often followers have forwarded a request; infinity for a malformed number. */
function hopsOf(field: string | undefined): number {
  if (field === undefined) return 0;
  return /^\d$/.test(field) ? Number(field) : Number.POSITIVE_INFINITY;
}

function refuseMinBlock(): HttpAnswer {
  return refuse(
    400,
    new InvalidRequestError(
      `the header Ledgerd-Min-Block has to be the number of a block, in decimal digits, at most ${BLOCK_NUMBER_MAX}`,
    ),
  );
}

/** Moves a long response out of the heap, since it may have to wait for a slow client. */
function bytesIfLong(response: string | ResponseBody): string | ResponseBody {
  if (typeof response !== 'string' || response.length <= LONG_ANSWER_CHARACTERS) return response;
  return ownBody(Buffer.from(response));
}
