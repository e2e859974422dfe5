import { RefusedError } from '../ledger/index.ts';
import { QUICK_BODY_BYTES_MAX } from '../limits.ts';
import { type BatchSource, type Response, respondToBatch } from './batch.ts';
import { type Caller, CallerUse } from './callers.ts';
import {
  DEFAULT_RPC_LIMITS,
  OTHER_METHOD,
  type Outcome,
  type RpcContext,
  STANDALONE_STATUS,
} from './context.ts';
import type { OpenRpcDocument } from './description/openrpc-document.ts';
import { type Call, errorResponse, type RequestId, readRequest, resultResponse } from './envelope.ts';
import { InvalidRequestError, LimitError } from './errors.ts';
import { failureOf, outcomeOf } from './failure.ts';
import { FilterRegistry } from './filters/filter-registry.ts';
import { IncludedAnswers } from './included-answers.ts';
import { parsedUntilWaiting } from './json/batch-items.ts';
import { textOfResult } from './json/json-text.ts';
import { parseJson } from './json/parse.ts';
import type { MethodContext, Query } from './method.ts';
import { describeInterface } from './openrpc.ts';
import { QUICK_METHODS } from './quick-methods.ts';
import { findMethod, METHODS, type MethodRegistry } from './registry.ts';
import { Turns } from './turns.ts';
import { type LocalQuery, Offload } from './workers/offload.ts';
import { type QueryWorkers, WorkerFailedError } from './workers/query-workers.ts';

/** Answers JSON-RPC 2.0. */
export interface Dispatcher {
  /**
   * Answers the body of a request, single or batch. Never throws; a failure is an error object in the text.
   * The answer is a promise only when a method takes its time, or when others have their turn first.
   *
   * @param caller whose calls are counted and take turns; absent: somebody new
   * @returns the body of the response; undefined when there is nothing to answer, or nobody to answer to
   */
  handle(body: Uint8Array | string, caller?: Caller): Response | Promise<Response>;
  /** Runs other work for a caller, which takes turns with the calls that may take long. */
  takeTurn<T>(caller: Caller, work: () => T): T | Promise<Awaited<T> | undefined>;
  /** Takes note of a client that has connected: calls that may take long give way to those who come. */
  noticeArrival(): void;
}

/** Name in reports of what is no call of a method. */
const NO_METHOD = 'request';

/** Where the answers of a dispatcher come from. */
interface Desk {
  readonly context: MethodContext;
  readonly methods: MethodRegistry;
  readonly turns: Turns;
  /** Where queries go; absent where there are no workers. */
  readonly offload: Offload | undefined;
}

/**
 * Creates the dispatcher of a node.
 *
 * @param workers other processes that answer queries; absent: this one answers all
 */
export function createDispatcher(
  context: RpcContext,
  methods: MethodRegistry = METHODS,
  workers?: QueryWorkers,
): Dispatcher {
  const limits = { ...DEFAULT_RPC_LIMITS, ...context.limits };
  let document: OpenRpcDocument | undefined;
  const describe = (): OpenRpcDocument => {
    document ??= describeInterface(methods.values(), context.version);
    return document;
  };
  const now = context.now ?? (() => performance.now());
  const filters = new FilterRegistry({ ledger: context.ledger, limits }, now);
  const included = new IncludedAnswers();
  const nodeStatus = context.nodeStatus ?? STANDALONE_STATUS;
  const completed = { ...context, nodeStatus, limits, filters, included, describe };
  const use = new CallerUse();
  const turns = new Turns(limits.turnMsMax, use);
  const takeTurn: Turns['take'] = (caller, work) => turns.take(caller, work);
  const offload = workers === undefined ? undefined : new Offload({ workers, use, takeTurn });
  const desk: Desk = { context: completed, methods, turns, offload };
  return {
    handle: (body, caller = {}) => {
      turns.noticeArrival();
      if (body.length <= QUICK_BODY_BYTES_MAX) return handle(desk, body, caller);
      return turns.take(caller, () => handle(desk, body, caller));
    },
    takeTurn,
    noticeArrival: () => turns.noticeArrival(),
  };
}

function handle(desk: Desk, body: Uint8Array | string, caller: Caller): Response | Promise<Response> {
  const began = performance.now();
  const { limits } = desk.context;
  try {
    const parsed = parseJson(body, limits.jsonDepthMax);
    if (!Array.isArray(parsed)) return respond(desk, parsed, caller, began);
    checkBatch(parsed, limits.batchRequestsMax);
    const isLarge = typeof body !== 'string' && body.length > QUICK_BODY_BYTES_MAX;
    return respondToBatch(isLarge ? parsedUntilWaiting(body, parsed) : parsed, batchSource(desk, caller));
  } catch (thrown) {
    // Reading it was work, too, so that it counts.
    return failed(desk, NO_METHOD, null, caller.admit?.() ?? thrown, began);
  }
}

function batchSource(desk: Desk, caller: Caller): BatchSource {
  return {
    limits: desk.context.limits,
    respond: (request) => respond(desk, request, caller, performance.now()),
    refuse: (request, error) => failed(desk, NO_METHOD, readRequest(request).id, error, performance.now()),
    takeTurn: (work) => desk.turns.take(caller, work),
    isGone: () => caller.isGone?.() === true,
  };
}

function checkBatch(requests: readonly unknown[], most: number): void {
  if (requests.length === 0) throw new InvalidRequestError('invalid request: the batch is empty');
  if (requests.length > most) {
    throw new LimitError(`the batch has ${requests.length} requests, more than the limit of ${most}`);
  }
}

function respond(desk: Desk, value: unknown, caller: Caller, began: number): Response | Promise<Response> {
  const request = readRequest(value);
  const refusal = caller.admit?.();
  if (request.kind === 'malformed') {
    return failed(desk, NO_METHOD, request.id, refusal ?? request.error, began);
  }
  const { method, id } = request;
  if (refusal !== undefined) return failed(desk, method, id, refusal, began);
  if (QUICK_METHODS.has(method)) return answer(desk, request, began);
  const query = desk.offload === undefined ? undefined : desk.methods.get(method)?.query;
  if (desk.offload !== undefined && query !== undefined && id !== undefined) {
    return desk.offload.answer(localQuery(desk, request, query, { caller, began }));
  }
  return desk.turns.take(caller, () => answer(desk, request, began), began);
}

/** How this process would answer a query itself, or passes a worker's answer on. */
function localQuery(
  desk: Desk,
  call: Call,
  query: Query,
  { caller, began }: { readonly caller: Caller; readonly began: number },
): LocalQuery {
  const { context } = desk;
  const { id, method, parameters } = call;
  return {
    caller,
    call,
    check: () => query.check(parameters),
    run: () => answer(desk, call, began),
    tryFor: (milliseconds) => {
      const { callTimeMsMax } = context.limits;
      if (callTimeMsMax <= milliseconds) return answer(desk, call, began);
      const limits = { ...context.limits, callTimeMsMax: milliseconds };
      try {
        return succeeded(desk, call, query.invoke({ ...context, limits }, parameters), began);
      } catch (thrown) {
        if (thrown instanceof RefusedError && thrown.reason.code === 'callTimedOut') throw thrown;
        return failed(desk, method, id, thrown, began);
      }
    },
    take: ({ response, outcome, message, failure }) => {
      if (failure !== '') context.onFailure?.(method, new WorkerFailedError(failure));
      if (message !== '') context.onFailedCall?.(method, message);
      count(desk, method, outcome, began);
      return response;
    },
    fail: (thrown) => failed(desk, method, id, thrown, began),
  };
}

function answer(desk: Desk, call: Call, began: number): Response | Promise<Response> {
  const { method, parameters, id } = call;
  try {
    const result = findMethod(desk.methods, method).invoke(desk.context, parameters);
    if (!(result instanceof Promise)) return succeeded(desk, call, result, began);
    return result
      .then((settled) => succeeded(desk, call, settled, began))
      .catch((thrown) => failed(desk, method, id, thrown, began));
  } catch (thrown) {
    return failed(desk, method, id, thrown, began);
  }
}

/** A notification, which has no id, is not answered. */
function succeeded(desk: Desk, { method, id }: Call, result: unknown, began: number): Response {
  const response = id === undefined ? undefined : resultResponse(id, textOfResult(result));
  count(desk, method, 'result', began);
  return response;
}

function failed(
  desk: Desk,
  method: string,
  id: RequestId | undefined,
  thrown: unknown,
  began: number,
): Response {
  const error = failureOf(thrown, (cause) => desk.context.onFailure?.(method, cause));
  desk.context.onFailedCall?.(method, error.message);
  count(desk, desk.methods.has(method) ? method : OTHER_METHOD, outcomeOf(error), began);
  return id === undefined ? undefined : errorResponse(id, error);
}

function count({ context }: Desk, method: string, outcome: Outcome, began: number): void {
  context.onCall?.(method, outcome, performance.now() - began);
}
