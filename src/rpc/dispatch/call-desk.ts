import { ExecutionRevertedError, RefusedError } from '../../ledger/index.ts';
import { REVERTED_READS_MAX, SHORT_TRACE_BYTES_MAX } from '../../limits.ts';
import { hexToBytes } from '../../protocol/index.ts';
import { type ConnectionBudget, type CooperativeScheduler, MORE, type Task } from '../../scheduling/index.ts';
import type { Stopwatch } from '../../time.ts';
import type { Caller } from '../context/caller.ts';
import { knowsErrors } from '../context/node-parts.ts';
import type { ProfileId } from '../context/profile-id.ts';
import {
  type Call,
  errorResponse,
  OTHER_METHOD,
  type Outcome,
  type RequestId,
  readRequest,
  resultResponse,
} from '../envelope/envelope.ts';
import { failureOf, outcomeOf } from '../envelope/failure.ts';
import { BlockRevertedError, LimitError, type MethodNotFoundError, TraceTimeoutError } from '../errors.ts';
import { bodyOfResult, type Response, ResponseBody } from '../json/response-body.ts';
import { valueBytes } from '../memory/value-bytes.ts';
import type { MethodDefinition, Query } from '../method.ts';
import type { MethodContext } from '../method-context.ts';
import type { MethodRegistry } from '../registries.ts';
import { prewarmCalls } from '../transactions/prewarm.ts';
import { WorkerFailedError } from '../workers/jobs.ts';
import type { QueryRouter, RoutedQuery } from './query-router.ts';

/** Name in reports of what is no call of a method. */
export const NO_METHOD = 'request';

/** Where the responses of a dispatcher in the shapes of a profile come from. */
export interface Desk {
  readonly time: Stopwatch;
  readonly profile: ProfileId;
  readonly context: MethodContext;
  readonly methods: MethodRegistry;
  /** The error for a name that is not among them. */
  readonly unknownMethod: (name: string) => MethodNotFoundError;
  readonly scheduler: CooperativeScheduler;
  /** Decides which process runs a query. */
  readonly router: QueryRouter;
}

/** A call that is answered. */
interface Asked {
  readonly call: Call;
  /** Undefined where there is no such method. */
  readonly definition: MethodDefinition | undefined;
  readonly caller: Caller;
  /** When it was asked, by the clock of the desk. */
  readonly began: number;
  /** The batch that it is part of; undefined for a single request. */
  readonly batch: BatchPart | undefined;
}

/** A request of a batch, whose responses are put together. */
interface BatchPart {
  /** Counts milliseconds of writing the response after the turn that began with it. */
  worked(this: void, milliseconds: number): void;
}

/** Answers a request, which may be no call at all. */
export function respond(
  desk: Desk,
  value: unknown,
  caller: Caller,
  began: number,
  batch?: BatchPart,
): Response | Promise<Response> {
  const request = readRequest(value);
  const refusal = caller.admit?.();
  if (request.kind === 'malformed') {
    return failed(desk, NO_METHOD, request.id, refusal ?? request.error, began);
  }
  const { method, id } = request;
  if (refusal !== undefined) return failed(desk, method, id, refusal, began);
  const definition = desk.methods.get(method);
  const asked: Asked = { call: request, definition, caller, began, batch };
  if (definition?.work === 'quick' || definition?.query?.isQuick?.(request) === true) {
    return answer(desk, asked);
  }
  const { account } = caller;
  if (account === undefined) return work(desk, asked);
  if (!account.mayBegin()) return failed(desk, method, id, account.refusal, began);
  const response = work(desk, asked);
  return response instanceof Promise ? holding(account, request.parameters, response) : response;
}

/** Works on a call that may take long. */
function work(desk: Desk, asked: Asked): Response | Promise<Response> {
  const { call, definition, caller, began } = asked;
  const { router, scheduler } = desk;
  const query = definition?.query;
  const kind = definition?.work === 'trace' ? 'trace' : 'query';
  if (query !== undefined && router.mayPass(kind))
    return router.answer(routedQuery(desk, asked, query, kind));
  const task: Task = { caller, call, isSend: definition?.work === 'send' };
  const refuse = (thrown: unknown): Response => failed(desk, call.method, call.id, thrown, began);
  const calls = router.mayPass('query') ? callsBefore(desk, asked) : [];
  if (calls.length === 0) {
    return unlessRefused(
      scheduler.run(task, () => answerWithRoom(desk, asked), began),
      refuse,
    );
  }
  return router
    .prewarm(task, calls, desk.profile)
    .then((isThere) =>
      isThere ? scheduler.run({ ...task, isBegun: true }, () => answerWithRoom(desk, asked)) : undefined,
    )
    .catch(refuse);
}

/** Makes a trace that is expected to be short, and passes it on where it comes to more than that. */
function traceHere(
  desk: Desk,
  asked: Asked,
  query: Query,
  pass: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const { call, caller, began } = asked;
  const { context } = desk;
  const { account } = caller;
  if (account?.mayBegin() === false) return failed(desk, call.method, call.id, account.refusal, began);
  const traceBytesMax = Math.min(context.limits.traceBytesMax, SHORT_TRACE_BYTES_MAX);
  try {
    const limits = { ...context.limits, traceBytesMax };
    return succeeded(desk, call, query.invoke({ ...context, limits }, call), began);
  } catch (thrown) {
    if (thrown instanceof LimitError) return pass();
    return failed(desk, call.method, call.id, thrown, began);
  }
}

/** Calls that a worker runs before a method that executes a transaction, its first parameter. */
function callsBefore({ context, profile }: Desk, { call, definition }: Asked): readonly object[] {
  if (definition?.parameters[0]?.name !== 'transaction' || !Array.isArray(call.parameters)) return [];
  try {
    return prewarmCalls(call.parameters[0], profile, context.ledger);
  } catch {
    // The method reports what is wrong with it.
    return [];
  }
}

/** Answers a call whose turn has come; there may be less room than when it was asked. */
function answerWithRoom(desk: Desk, asked: Asked): Response | Promise<Response> {
  const { call, caller, began } = asked;
  const { account } = caller;
  if (account?.mayBegin() !== false) return answer(desk, asked);
  return failed(desk, call.method, call.id, account.refusal, began);
}

/** Counts the parameters of a call that waits for something. */
function holding(
  account: ConnectionBudget,
  parameters: unknown,
  response: Promise<Response>,
): Promise<Response> {
  const bytes = valueBytes(parameters);
  account.hold('values', bytes);
  return response.finally(() => account.release('values', bytes));
}

/** The ways in which this process would answer a query, or passes on the result of another one. */
function routedQuery(desk: Desk, asked: Asked, query: Query, kind: RoutedQuery['kind']): RoutedQuery {
  const { context, profile } = desk;
  const { call, caller, began, batch } = asked;
  const { id, method } = call;
  return {
    ...{ kind, caller, call, profile, began },
    takesRest: batch === undefined && caller.takesRest === true,
    staysHere: () => query.staysHere?.(context, call) === true,
    isShort: () => query.isShort?.(context, call) === true,
    trace: (pass) => traceHere(desk, asked, query, pass),
    check: () => query.check(context, call),
    run: () => answerWithRoom(desk, asked),
    tryFor: (milliseconds) => {
      const { callTimeMsMax } = context.limits;
      if (callTimeMsMax <= milliseconds) return answer(desk, asked);
      const limits = {
        ...context.limits,
        callTimeMsMax: milliseconds,
        traceTimeMsMax: Math.min(milliseconds, context.limits.traceTimeMsMax),
      };
      try {
        const result = query.invoke({ ...context, limits }, call);
        return succeeded(desk, call, writtenWithin(result, milliseconds), began);
      } catch (thrown) {
        if (isOutOfTime(thrown)) throw thrown;
        return failed(desk, method, id, thrown, began);
      }
    },
    take: ({ response, outcome, message, revertData, failure }) => {
      if (failure !== '') context.onFailure?.(method, new WorkerFailedError(failure));
      // A worker knows no contracts, so that the error is made again with their names.
      if (revertData !== undefined && knowsErrors(context)) {
        const output = hexToBytes(revertData.slice('0x'.length));
        return failed(desk, method, id, new ExecutionRevertedError(output), began);
      }
      if (message !== '') context.onFailedCall?.(method, message);
      count(desk, method, outcome, began);
      return response;
    },
    fail: (thrown) => failed(desk, method, id, thrown, began),
  };
}

/** Writes what of a result is not written yet. @throws RefusedError `callTimedOut` where that takes too long */
function writtenWithin(result: unknown, milliseconds: number): unknown {
  const steps = result instanceof ResponseBody ? result.steps : undefined;
  if (steps === undefined) return result;
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const text = steps.step();
    if (text !== undefined) return text;
    if (performance.now() > deadline) {
      throw new RefusedError({ code: 'callTimedOut', seconds: milliseconds / 1_000 });
    }
  }
}

/** Whether a query was given up for its time. */
function isOutOfTime(thrown: unknown): boolean {
  if (thrown instanceof TraceTimeoutError) return true;
  return thrown instanceof RefusedError && thrown.reason.code === 'callTimedOut';
}

function answer(desk: Desk, asked: Asked): Response | Promise<Response> {
  const { call, definition, caller, began } = asked;
  const { method, id } = call;
  try {
    if (definition === undefined) throw desk.unknownMethod(method);
    const result = definition.invoke(desk.context, call, caller);
    if (!(result instanceof Promise)) return answerWith(desk, asked, result);
    return result
      .then((settled) => answerWith(desk, asked, settled))
      .catch((thrown) => failed(desk, method, id, thrown, began));
  } catch (thrown) {
    return failed(desk, method, id, thrown, began);
  }
}

/** Answers with a result, which is written in steps if that takes long. */
function answerWith(desk: Desk, asked: Asked, result: unknown): Response | Promise<Response> {
  const { call, caller, began, batch } = asked;
  let steps = result instanceof ResponseBody ? result.steps : undefined;
  if (steps === undefined || call.id === undefined) return succeeded(desk, call, result, began);
  const { account } = caller;
  let held = 0;
  let begunAnew = 0;
  const finish = (response: Response): Response => {
    account?.release('answers', held);
    return response;
  };
  const fail = (thrown: unknown): Response => finish(failed(desk, call.method, call.id, thrown, began));
  /** Writes the next piece. Calls the method again when the block that it reads was reverted. */
  const step = (): Response | typeof MORE => {
    try {
      const text = steps?.step();
      return text === undefined ? MORE : finish(succeeded(desk, call, text, began));
    } catch (thrown) {
      begunAnew += 1;
      if (!(thrown instanceof BlockRevertedError) || begunAnew > REVERTED_READS_MAX) return fail(thrown);
      const again = asked.definition?.invoke(desk.context, call, caller);
      steps = again instanceof ResponseBody ? again.steps : undefined;
      return steps === undefined ? finish(succeeded(desk, call, again, began)) : MORE;
    }
  };
  const onYield = (): void => {
    const length = steps?.length ?? 0;
    account?.hold('answers', length - held);
    held = length;
    if (account?.mayBegin() === false) throw account.refusal;
  };
  const task: Task = { caller, isBegun: true, onYield, onSlice: batch?.worked };
  try {
    return unlessRefused(desk.scheduler.run(task, step), fail);
  } catch (thrown) {
    return fail(thrown);
  }
}

/** A notification, which has no id, is not answered. */
function succeeded(desk: Desk, { method, id }: Call, result: unknown, began: number): Response {
  const response = id === undefined ? undefined : resultResponse(id, bodyOfResult(result));
  count(desk, method, 'result', began);
  return response;
}

/** The response of what was thrown, if there is to be one. */
export function failed(
  desk: Desk,
  method: string,
  id: RequestId | undefined,
  thrown: unknown,
  began: number,
): Response {
  const { context } = desk;
  const error = failureOf(thrown, (cause) => context.onFailure?.(method, cause), context.artifacts);
  desk.context.onFailedCall?.(method, error.message);
  count(desk, desk.methods.has(method) ? method : OTHER_METHOD, outcomeOf(error), began);
  return id === undefined ? undefined : errorResponse(id, error);
}

function count({ context, time }: Desk, method: string, outcome: Outcome, began: number): void {
  context.onCall?.(method, outcome, time.now() - began);
}

/** Answers what is not let in, since too many calls wait. */
export function unlessRefused<T extends Response>(
  answer: T | Promise<T>,
  refuse: (thrown: unknown) => T,
): T | Promise<T> {
  return answer instanceof Promise ? answer.catch(refuse) : answer;
}
