import { MissingEntriesError, PendingBlockUnmadeError } from '../../ledger/index.ts';
import type { CooperativeScheduler, Task } from '../../scheduling/index.ts';
import type { Stopwatch } from '../../time/time.ts';
import type { Caller } from '../context/caller.ts';
import type { ProfileId } from '../context/profile-id.ts';
import { remoteResult } from '../fork/joined-lists.ts';
import { type Response, ResponseBody } from '../json/response-body.ts';
import { failureOf, OTHER_METHOD, type Outcome, outcomeOf } from '../messages/failure.ts';
import {
  type Call,
  type ErrorObject,
  errorResponse,
  type RequestId,
  resultResponse,
} from '../messages/json-rpc.ts';
import type { MethodDefinition } from '../method.ts';
import type { MethodContext } from '../method-context.ts';
import type { MethodRegistry } from '../registries.ts';
import { BlockRevertedError, type MethodNotFoundError } from '../rpc-errors.ts';
import { pendingContext } from './pending-context.ts';

/** Attempts to build a response about blocks that are reverted meanwhile. */
const REVERTED_READS_MAX = 3;
/** Runs of a call on a forked chain, between which missing entries are fetched. */
const FORK_RUNS_MAX = 1_000;
/** Milliseconds that a call on `/ethereum` waits for the pending block. */
const PENDING_WAIT_MS_MAX = 5_000;

/** Method name in reports of a malformed request. */
export const NO_METHOD = 'request';

/** The methods of a profile, and the context in which a dispatcher runs them. */
export interface ProfileService {
  readonly time: Stopwatch;
  readonly profile: ProfileId;
  readonly context: MethodContext;
  readonly methods: MethodRegistry;
  readonly unknownMethod: (name: string) => MethodNotFoundError;
  /** Adds what clients of the profile expect to the error of a call. */
  readonly explain: (error: ErrorObject, thrown: unknown, method: string, call?: Call) => ErrorObject;
  readonly scheduler: CooperativeScheduler;
}

export interface CurrentCall {
  readonly service: ProfileService;
  readonly call: Call;
  /** Undefined for an unknown method. */
  readonly definition: MethodDefinition | undefined;
  readonly caller: Caller;
  /** Time of its request, by the clock of the service. */
  readonly began: number;
  readonly onBatchSlice: BatchSlices | undefined;
  /** Number of the run, if missing entries of a forked chain were fetched for it; absent: the first. */
  readonly runs?: number;
}

/** Counts milliseconds in which the response to a request of a batch is written after its first time slice. */
export type BatchSlices = (milliseconds: number) => void;

/** Queues what a call will need for other threads. Returns true for a method that can do so. */
export function expectCall({ methods, context }: ProfileService, call: Call): boolean {
  const expect = methods.get(call.method)?.expect;
  if (expect === undefined) return false;
  try {
    expect(context, call);
  } catch {
    // The call itself reports the error.
  }
  return true;
}

export function run(current: CurrentCall): Response | Promise<Response> {
  const { service, call, definition, caller } = current;
  try {
    if (definition === undefined) throw service.unknownMethod(call.method);
    const context = contextOf(service, definition, call);
    const fork = context.fork?.chain.remote;
    const result =
      fork === undefined
        ? definition.invoke(context, call, caller)
        : definition.invokeOnFork(fork, context, call, caller);
    if (!(result instanceof Promise)) return respondWith(current, result);
    return result
      .then((settled) => respondWith(current, fork === undefined ? settled : remoteResult(settled)))
      .catch((thrown) => runAgain(current, thrown) ?? callFailed(current, thrown));
  } catch (thrown) {
    return runAgain(current, thrown) ?? callFailed(current, thrown);
  }
}

/** Returns the context of a call: on the chain with the pending block, if it names that. */
function contextOf(service: ProfileService, definition: MethodDefinition, call: Call): MethodContext {
  const { context } = service;
  return readsPending(service, definition, call) ? pendingContext(context) : context;
}

/** Returns true for a call that reads the pending block. */
export function readsPending(
  { context }: Pick<ProfileService, 'context'>,
  definition: MethodDefinition | undefined,
  call: Call,
): boolean {
  return definition?.query?.namesPending(context, call) === true;
}

/**
 * Runs a call again that read missing entries of a forked chain, once they are here, or the pending block, once it is
 * made. It has changed nothing.
 * @returns undefined for any other error
 */
function runAgain(current: CurrentCall, thrown: unknown): Promise<Response> | undefined {
  const { service, caller, call, runs = 1 } = current;
  if (runs >= FORK_RUNS_MAX) return undefined;
  const task: Task = { caller, call, isBegun: true };
  if (thrown instanceof PendingBlockUnmadeError) {
    const last = service.time.now() + PENDING_WAIT_MS_MAX;
    const job = runOnPending({ ...current, runs: runs + 1 }, thrown, last);
    return Promise.resolve(service.scheduler.run(task, job)).catch((error) => callFailed(current, error));
  }
  const fork = service.context.fork?.chain.remote;
  if (!(thrown instanceof MissingEntriesError) || fork === undefined) return undefined;
  return fork
    .fetch(thrown)
    .then(() => service.scheduler.run(task, () => runQueued({ ...current, runs: runs + 1 })))
    .catch((error) => callFailed(current, error));
}

/** Makes the pending block, unless that takes longer than until a moment, and then runs a call on it. */
function* runOnPending(
  current: CurrentCall,
  unmade: PendingBlockUnmadeError,
  last: number,
): Generator<void, Response | Promise<Response>, number> {
  const { time, context } = current.service;
  const { pending: block } = context;
  try {
    while (!block.make(unmade.attempt, yield)) {
      // Blocks may come faster than it can be made.
      if (time.now() > last) return callFailed(current, unmade);
    }
    return block.whileGiven(() => runQueued(current));
  } catch (error) {
    return runAgain(current, error) ?? callFailed(current, error);
  }
}

/** Runs the method of a queued call, if its budget still allows it. */
export function runQueued(current: CurrentCall): Response | Promise<Response> {
  const { budget } = current.caller;
  if (budget?.mayBegin() !== false) return run(current);
  return callFailed(current, budget.refusal);
}

/** Responds with a result; a long one is written in pieces. */
function respondWith(current: CurrentCall, result: unknown): Response | Promise<Response> {
  const { service, call, caller, onBatchSlice } = current;
  let job = result instanceof ResponseBody ? result.job : undefined;
  if (job === undefined || call.id === undefined) return succeeded(current, result);
  const { budget } = caller;
  let countedLength = 0;
  const finish = (response: Response): Response => {
    budget?.release('answers', countedLength);
    return response;
  };
  const fail = (thrown: unknown): Response => finish(callFailed(current, thrown));
  /** Writes the text. Calls the method again if the block that it reads was reverted. */
  const write = function* (): Generator<void, Response | Promise<Response>> {
    let written = result;
    for (let restarts = 0; ; restarts += 1) {
      try {
        return finish(succeeded(current, job === undefined ? written : yield* job.write()));
      } catch (thrown) {
        const again = runAgain(current, thrown);
        if (again !== undefined) {
          finish(undefined);
          return again;
        }
        const isReverted = thrown instanceof BlockRevertedError;
        if (!isReverted || restarts === REVERTED_READS_MAX) return fail(thrown);
      }
      const { definition } = current;
      written = definition?.invoke(contextOf(service, definition, call), call, caller);
      job = written instanceof ResponseBody ? written.job : undefined;
      yield;
    }
  };
  const onYield = (): void => {
    const length = job?.length ?? 0;
    budget?.hold('answers', length - countedLength);
    countedLength = length;
    if (budget?.mayBegin() === false) throw budget.refusal;
  };
  const task: Task = { caller, isBegun: true, onYield, onSlice: onBatchSlice };
  try {
    return catchRefusal(service.scheduler.run(task, write()), fail);
  } catch (thrown) {
    return fail(thrown);
  }
}

/** Returns the response with a result, and counts the call; undefined for a notification. */
export function succeeded({ service, call, began }: CurrentCall, result: unknown): Response {
  const response = call.id === undefined ? undefined : resultResponse(call.id, result);
  count(service, call.method, 'result', began);
  return response;
}

/** Returns the response to a call that failed, and counts it; undefined for a notification. */
export function callFailed({ service, call, began }: CurrentCall, thrown: unknown): Response {
  return failed(service, call.method, call.id, thrown, began, call);
}

/**
 * Returns the response to a request that failed, and counts it; undefined for a notification.
 * @param call absent: none was run
 */
export function failed(
  service: ProfileService,
  method: string,
  id: RequestId | undefined,
  thrown: unknown,
  began: number,
  call?: Call,
): Response {
  const { context, methods } = service;
  const failure = failureOf(thrown, (cause) => context.onFailure?.(method, cause), context.artifacts);
  const error = service.explain(failure, thrown, method, call);
  context.onFailedCall?.(method, error.message);
  count(service, methods.has(method) ? method : OTHER_METHOD, outcomeOf(error), began);
  return id === undefined ? undefined : errorResponse(id, error);
}

export function count(
  { context, time }: ProfileService,
  method: string,
  outcome: Outcome,
  began: number,
): void {
  context.onCall?.(method, outcome, time.now() - began);
}

/** Responds to a task that the scheduler refused because its queue is full. */
export function catchRefusal<T extends Response>(
  response: T | Promise<T>,
  refuse: (thrown: unknown) => T,
): T | Promise<T> {
  return response instanceof Promise ? response.catch(refuse) : response;
}
