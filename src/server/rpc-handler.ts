import { BLOCK_NUMBER_MAX } from '../consensus.ts';
import {
  type Dispatcher,
  FORWARDED_HEADER,
  InvalidRequestError,
  LONG_RESPONSE_CHARACTERS,
  ownBody,
  type ProfileId,
  type Response,
  type ResponseBody,
} from '../rpc/index.ts';
import {
  type Handler,
  type HttpRequest,
  type HttpResponse,
  JSON_TYPE,
  type ResponseHeaders,
  refuse,
} from './http-response.ts';
import { HEAD_NUMBER_HEADER, type MinBlockWaiters, readBlockNumber } from './min-block-waiters.ts';

/** Request header with the number of the block that must be here before the response. */
const MIN_BLOCK_HEADER = 'ledgerd-min-block';

/** Responds to JSON-RPC requests, single or batch, in the format of a profile. */
export function rpcHandler(dispatcher: Dispatcher, waits: MinBlockWaiters, profile: ProfileId): Handler {
  let block = -1;
  let headers: ResponseHeaders = {};
  /** Returns the headers of a response; the same object until the head changes. */
  const currentHeaders = (): ResponseHeaders => {
    if (waits.number !== block) {
      block = waits.number;
      headers = { [HEAD_NUMBER_HEADER]: String(block), 'content-type': JSON_TYPE };
    }
    return headers;
  };
  // The newest block after the calls: the response contains nothing of a later one.
  const toHttp = (response: Response): HttpResponse => {
    if (response === undefined)
      return { status: 204, headers: { [HEAD_NUMBER_HEADER]: String(waits.number) } };
    return { status: 200, headers: currentHeaders(), body: bytesIfLong(response) };
  };
  const handle = ({ connection, body }: HttpRequest): HttpResponse | Promise<HttpResponse> => {
    const response = dispatcher.handle(body, connection, profile);
    return response instanceof Promise ? response.then(toHttp) : toHttp(response);
  };
  return (request) => {
    const { connection, headers } = request;
    connection.state = 'working';
    const minBlock = headers[MIN_BLOCK_HEADER];
    connection.hops = hopsOf(headers[FORWARDED_HEADER]);
    if (minBlock === undefined) return handle(request);
    const number = readBlockNumber(minBlock);
    if (number === undefined) return refuseMinBlock();
    if (number <= waits.number) return handle(request);
    return waits.reach(number, connection).then((refusal) => refusal ?? handle(request));
  };
}

/** Returns the number of followers that have forwarded a request; infinity for a malformed header. */
function hopsOf(header: string | undefined): number {
  if (header === undefined) return 0;
  return /^\d$/.test(header) ? Number(header) : Number.POSITIVE_INFINITY;
}

function refuseMinBlock(): HttpResponse {
  return refuse(
    400,
    new InvalidRequestError(
      `the header Ledgerd-Min-Block has to be the number of a block, in decimal digits, at most ${BLOCK_NUMBER_MAX}`,
    ),
  );
}

/** Moves a long response out of the heap, since its client may be slow. */
function bytesIfLong(response: string | ResponseBody): string | ResponseBody {
  if (typeof response !== 'string' || response.length <= LONG_RESPONSE_CHARACTERS) return response;
  return ownBody(Buffer.from(response));
}
