import { type BatchSource, type Response, respondToBatch } from './batch.ts';
import { DEFAULT_RPC_LIMITS, type RpcContext, STANDALONE_STATUS } from './context.ts';
import type { OpenRpcDocument } from './description/openrpc-document.ts';
import { type Call, errorResponse, type RequestId, readRequest, resultResponse } from './envelope.ts';
import { InvalidRequestError, LimitError } from './errors.ts';
import { failureOf } from './failure.ts';
import { FilterRegistry } from './filters/filter-registry.ts';
import { parseJson } from './json/parse.ts';
import type { MethodContext } from './method.ts';
import { describeInterface } from './openrpc.ts';
import { findMethod, METHODS, type MethodRegistry } from './registry.ts';

/** Answers JSON-RPC 2.0. */
export interface Dispatcher {
  /**
   * Answers the body of a request, single or batch. Never throws; a failure is an error object in the text.
   * The answer is a promise only when a method takes its time or a long batch lets others have their turn.
   *
   * @returns the body of the response; undefined when there is nothing to answer
   */
  handle(body: Uint8Array | string): Response | Promise<Response>;
}

/** Name in reports of what is no call of a method. */
const NO_METHOD = 'request';

/** Where the answers of a dispatcher come from. */
interface Desk {
  readonly context: MethodContext;
  readonly methods: MethodRegistry;
}

/** Creates the dispatcher of a node. */
export function createDispatcher(context: RpcContext, methods: MethodRegistry = METHODS): Dispatcher {
  const limits = { ...DEFAULT_RPC_LIMITS, ...context.limits };
  let document: OpenRpcDocument | undefined;
  const describe = (): OpenRpcDocument => {
    document ??= describeInterface(methods.values(), context.version);
    return document;
  };
  const now = context.now ?? (() => performance.now());
  const filters = new FilterRegistry({ ledger: context.ledger, limits }, now);
  const nodeStatus = context.nodeStatus ?? STANDALONE_STATUS;
  const completed = { ...context, nodeStatus, limits, filters, describe };
  const desk: Desk = { context: completed, methods };
  const batch: BatchSource = {
    limits,
    respond: (request) => respond(desk, request),
    refuse: (request) => refuseRest(desk, request),
  };
  return {
    handle: (body) => {
      try {
        const parsed = parseJson(body, limits.jsonDepthMax);
        if (!Array.isArray(parsed)) return respond(desk, parsed);
        checkBatch(parsed, limits.batchRequestsMax);
        return respondToBatch(parsed, batch);
      } catch (thrown) {
        return failed(desk, NO_METHOD, null, thrown);
      }
    },
  };
}

function checkBatch(requests: readonly unknown[], most: number): void {
  if (requests.length === 0) throw new InvalidRequestError('invalid request: the batch is empty');
  if (requests.length > most) {
    throw new LimitError(`the batch has ${requests.length} requests, more than the limit of ${most}`);
  }
}

function respond(desk: Desk, value: unknown): Response | Promise<Response> {
  const request = readRequest(value);
  return request.kind === 'call' ? answer(desk, request) : failed(desk, NO_METHOD, request.id, request.error);
}

function answer(desk: Desk, { method, parameters, id }: Call): Response | Promise<Response> {
  try {
    const result = findMethod(desk.methods, method).invoke(desk.context, parameters);
    if (!(result instanceof Promise)) return succeeded(id, result);
    return result
      .then((settled) => succeeded(id, settled))
      .catch((thrown) => failed(desk, method, id, thrown));
  } catch (thrown) {
    return failed(desk, method, id, thrown);
  }
}

function refuseRest(desk: Desk, value: unknown): Response {
  const most = desk.context.limits.batchResponseCharactersMax;
  const error = new LimitError(`the answer to the batch exceeds the limit of ${most} characters`);
  return failed(desk, NO_METHOD, readRequest(value).id, error);
}

/** A notification, which has no id, is not answered. */
function succeeded(id: RequestId | undefined, result: unknown): Response {
  return id === undefined ? undefined : resultResponse(id, JSON.stringify(result));
}

function failed(desk: Desk, method: string, id: RequestId | undefined, thrown: unknown): Response {
  const error = failureOf(thrown, (cause) => desk.context.onFailure?.(method, cause));
  desk.context.onFailedCall?.(method, error.message);
  return id === undefined ? undefined : errorResponse(id, error);
}
