import {
  type Dispatcher,
  InternalError,
  ownBody,
  type ProfileId,
  type Response,
  type ResponseBody,
} from '../rpc/index.ts';
import { type Handler, JSON_TYPE } from './http-answer.ts';
import { refuse } from './refusals.ts';

/** What asks a dispatcher for the description of its interface. */
const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"rpc_discover"}';

/**
 * Prepares the response to GET for the description of a profile of the interface: what `rpc_discover` answers. The
 * dispatcher is asked once; a failure is asked again at the next request.
 */
export function descriptionServer(dispatcher: Dispatcher, profile: ProfileId): Handler {
  // Bytes, which all who take it slowly share.
  let description: ResponseBody | undefined;
  return async () => {
    description ??= descriptionIn(await dispatcher.handle(REQUEST, undefined, profile));
    if (description === undefined) return refuse(500, new InternalError());
    return { status: 200, fields: { 'content-type': JSON_TYPE }, body: description };
  };
}

/** The result of a response, as JSON; undefined for an error. */
function descriptionIn(answer: Response): ResponseBody | undefined {
  const { result }: { result?: unknown } = JSON.parse(String(answer ?? '{}'));
  return result === undefined ? undefined : ownBody(Buffer.from(JSON.stringify(result)));
}
