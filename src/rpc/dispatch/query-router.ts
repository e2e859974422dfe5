import { ExecutionRevertedError, RefusedError } from '../../ledger/index.ts';
import { hexToBytes, messageOf } from '../../protocol/index.ts';
import {
  type CallCosts,
  type CooperativeScheduler,
  FairQueue,
  kindOf,
  type Task,
  type Ticket,
} from '../../scheduling/index.ts';
import { runUntil } from '../../time/job.ts';
import { systemTime } from '../../time/time.ts';
import { decodesErrors } from '../context/node-dependencies.ts';
import type { ProfileId } from '../context/profile-id.ts';
import { type Response, ResponseBody } from '../json/response-body.ts';
import { type Call, NO_ID } from '../messages/json-rpc.ts';
import type { Query } from '../method.ts';
import { LimitError, RequestFailedError, TraceTimeoutError } from '../rpc-errors.ts';
import { prewarmCalls } from '../transactions/prewarm.ts';
import {
  type JobProcesses,
  type JobResult,
  WorkerFailedError,
  type WorkerJob,
  WorkerLostError,
} from '../workers/jobs.ts';
import {
  type CurrentCall,
  callFailed,
  catchRefusal,
  count,
  expectCall,
  readsPending,
  run,
  runQueued,
  succeeded,
} from './run-call.ts';

/** Expected milliseconds up to which a query runs in the node's own process although workers exist. */
const LOCAL_QUERY_MS_MAX = 0.5;
/** Bytes of a trace that the node itself makes. */
const SHORT_TRACE_BYTES_MAX = 256 * 1024;

/** Milliseconds after which a query that was expected to be short is forwarded to another process. */
const FORWARD_AFTER_MS = 5;

interface QueuedJob {
  readonly job: WorkerJob;
  onBody(body: ResponseBody): void;
  onResult(result: JobResult): void;
  onFailed(error: unknown): void;
  /** Called if the caller disconnected before a process was free. */
  onDisconnected(): void;
}

class TraceLostError extends RequestFailedError {
  constructor(reason: string) {
    super(`the process that made the trace ended (${reason}): retry, or request a smaller trace`);
  }
}

/**
 * Chooses the process that runs a call which may take long: this process if the call changes something, or if it is
 * expected to be shorter than forwarding it; else another process, for which calls are queued fairly.
 */
export class QueryRouter {
  readonly #costs: CallCosts;
  readonly #scheduler: CooperativeScheduler;
  readonly #processes: JobProcesses | undefined;
  readonly #queries: FairQueue<QueuedJob>;
  readonly #traces: FairQueue<QueuedJob>;

  /** @param processes other processes; undefined: this process runs all calls */
  constructor(costs: CallCosts, scheduler: CooperativeScheduler, processes: JobProcesses | undefined) {
    this.#costs = costs;
    this.#scheduler = scheduler;
    this.#processes = processes;
    this.#queries = new FairQueue(costs, ({ onDisconnected }) => onDisconnected());
    this.#traces = new FairQueue(costs, ({ onDisconnected }) => onDisconnected());
  }

  /** Responds to a call; undefined if its caller disconnected while it was queued. */
  respond(current: CurrentCall): Response | Promise<Response> {
    const { service, call, definition, caller, began } = current;
    const refuse = (thrown: unknown): Response => callFailed(current, thrown);
    const buildSteps = definition?.scheduling === 'trace' ? this.#processes?.stepsBuilder : undefined;
    if (buildSteps !== undefined && needsSteps(current)) {
      const refuseTrace = (error: unknown): Response => refuse(new RequestFailedError(messageOf(error)));
      return buildSteps().then(() => this.respond(current), refuseTrace);
    }
    const query = definition?.query;
    if (readsPending(service, definition, call)) {
      return catchRefusal(
        this.#scheduler.run({ caller, call }, () => runQueued(current), began),
        refuse,
      );
    }
    // Other processes have no entries of a remote chain.
    const mayUseProcesses = this.#processes !== undefined && service.context.fork?.chain.remote === undefined;
    if (query !== undefined && definition?.scheduling === 'trace' && mayUseProcesses) {
      return catchRefusal(this.#respondToTrace(current, query), refuse);
    }
    const hasWorkers = mayUseProcesses && this.#hasWorkers();
    if (query !== undefined && hasWorkers) {
      return catchRefusal(this.#respondToQuery(current, query), refuse);
    }
    const isSend = definition?.scheduling === 'send';
    const onQueued = isSend ? () => void expectCall(service, call) : undefined;
    const task: Task = { caller, call, isSend, onQueued };
    const calls = hasWorkers ? prewarmCallsOf(current) : [];
    if (calls.length === 0) {
      return catchRefusal(
        this.#scheduler.run(task, () => runQueued(current), began),
        refuse,
      );
    }
    const begun = { ...task, isBegun: true };
    return this.#prewarm(task, calls, service.profile)
      .then((isConnected) => (isConnected ? this.#scheduler.run(begun, () => runQueued(current)) : undefined))
      .catch(refuse);
  }

  #hasWorkers(): boolean {
    return this.#processes !== undefined && this.#processes.ready > 0;
  }

  /**
   * Runs calls in workers before a transaction, one after the other. Their outcomes do not matter: this process only
   * reuses the results of their slow precompiled contracts.
   *
   * @param calls parameters of `eth_call`
   * @returns true if the caller is still connected
   * @throws LimitError, HeldLimitError for too many queued jobs
   */
  async #prewarm(origin: Task, calls: readonly object[], profile: ProfileId): Promise<boolean> {
    for (const parameters of calls) {
      if (!this.#hasWorkers()) return true;
      const call: Call = { kind: 'call', id: NO_ID, method: 'eth_call', parameters: [parameters] };
      const job: WorkerJob = { kind: 'prewarm', call, profile, expectedMs: Number.POSITIVE_INFINITY };
      const isConnected = await new Promise<boolean>((resolve, reject) => {
        this.#push(origin, {
          job,
          onBody: () => undefined,
          onResult: () => resolve(true),
          onFailed: (error) => (error instanceof WorkerLostError ? resolve(true) : reject(error)),
          onDisconnected: () => resolve(false),
        });
      });
      if (!isConnected) return false;
    }
    return true;
  }

  #respondToTrace(current: CurrentCall, query: Query): Response | Promise<Response> {
    const { caller, call, began } = current;
    // A trace without a response has no effect.
    if (call.id === undefined) return undefined;
    try {
      if (query.isShort?.(current.service.context, call) !== true) return this.#forward(current, query);
    } catch (error) {
      return callFailed(current, error);
    }
    return this.#scheduler.run({ caller, call }, () => this.#traceLocally(current, query), began);
  }

  /** Makes a trace that is expected to be short, and forwards it if it exceeds the bound. */
  #traceLocally(current: CurrentCall, query: Query): Response | Promise<Response> {
    const { service, call, caller } = current;
    const { context } = service;
    if (caller.budget?.mayBegin() === false) return callFailed(current, caller.budget.refusal);
    const traceBytesMax = Math.min(context.limits.traceBytesMax, SHORT_TRACE_BYTES_MAX);
    try {
      const limits = { ...context.limits, traceBytesMax };
      return succeeded(current, query.invoke({ ...context, limits }, call));
    } catch (thrown) {
      if (thrown instanceof LimitError) return this.#forward(current, query);
      return callFailed(current, thrown);
    }
  }

  #respondToQuery(current: CurrentCall, query: Query): Response | Promise<Response> {
    const { caller, call, began } = current;
    if (call.id === undefined || query.staysHere?.(current.service.context, call) === true) {
      return this.#scheduler.run({ caller, call }, () => runQueued(current), began);
    }
    const kind = kindOf(call);
    const expectedMs = this.#costs.of(kind);
    if (expectedMs === undefined || expectedMs >= LOCAL_QUERY_MS_MAX) {
      return this.#forward(current, query, expectedMs);
    }
    return this.#scheduler.run({ caller, call }, () => this.#queryLocally(current, query, kind));
  }

  /** Runs a query that is expected to be short, and forwards it if it takes longer. */
  #queryLocally(current: CurrentCall, query: Query, kind: string): Response | Promise<Response> {
    const { context } = current.service;
    const { callTimeMsMax, traceTimeMsMax } = context.limits;
    const began = performance.now();
    try {
      if (callTimeMsMax <= FORWARD_AFTER_MS) return run(current);
      const limits = {
        ...context.limits,
        callTimeMsMax: FORWARD_AFTER_MS,
        traceTimeMsMax: Math.min(FORWARD_AFTER_MS, traceTimeMsMax),
      };
      const result = query.invoke({ ...context, limits }, current.call);
      return succeeded(current, writeWithin(result, FORWARD_AFTER_MS));
    } catch (thrown) {
      if (!isOutOfTime(thrown)) return callFailed(current, thrown);
    } finally {
      this.#costs.note(kind, performance.now() - began);
    }
    return this.#forward(current, query);
  }

  #forward(
    current: CurrentCall,
    query: Query,
    expectedMs = Number.POSITIVE_INFINITY,
  ): Response | Promise<Response> {
    const { caller, call } = current;
    try {
      query.check(current.service.context, call);
    } catch (error) {
      return callFailed(current, error);
    }
    return new Promise((resolve) => {
      this.#push(
        { caller, call },
        {
          job: this.#jobOf(current, expectedMs),
          onBody: resolve,
          // Also called after `onBody`, since a response is counted when its last byte is produced.
          onResult: (result) => resolve(responseOf(current, result)),
          onFailed: (error) => resolve(this.#lost(current, error)),
          onDisconnected: () => resolve(undefined),
        },
      );
    });
  }

  #jobOf(current: CurrentCall, expectedMs: number): WorkerJob {
    const { service, call, definition, caller, onBatchSlice } = current;
    const { profile } = service;
    if (definition?.scheduling !== 'trace') return { kind: 'query', call, profile, expectedMs };
    const acceptsStreams = onBatchSlice === undefined && caller.acceptsStreams === true;
    const isGone = (): boolean => caller.isGone?.() === true;
    return {
      kind: 'trace',
      call,
      profile,
      acceptsStreams,
      isGone,
      hasQueuedTraces: () => this.#traces.size > 0,
    };
  }

  /** Runs a query whose process was lost; fails for a trace. */
  #lost(current: CurrentCall, error: unknown): Response | Promise<Response> {
    const { caller, call, definition } = current;
    if (!(error instanceof WorkerLostError)) return callFailed(current, error);
    if (definition?.scheduling === 'trace') return callFailed(current, new TraceLostError(error.reason));
    return this.#scheduler.run({ caller, call, isBegun: true }, () => runQueued(current));
  }

  #push(origin: Task, item: QueuedJob): void {
    const queue = item.job.kind === 'trace' ? this.#traces : this.#queries;
    queue.push(origin, item);
    this.#beginNext(queue);
  }

  #beginNext(queue: FairQueue<QueuedJob>): void {
    const processes = this.#processes;
    if (queue === this.#queries && !this.#hasWorkers()) {
      for (const { onFailed } of queue.clear()) onFailed(new WorkerLostError());
    }
    for (;;) {
      const next = queue.next();
      if (next === undefined || processes?.hasCapacityFor(next.item.job) !== true) return;
      const { budget } = next.caller;
      if (budget?.mayBegin() === false) {
        queue.remove(next);
        next.item.onFailed(budget.refusal);
      } else {
        queue.begin(next);
        this.#begin(processes, queue, next);
      }
    }
  }

  #begin(processes: JobProcesses, queue: FairQueue<QueuedJob>, ticket: Ticket<QueuedJob>): void {
    const { job, onBody, onResult, onFailed } = ticket.item;
    const began = performance.now();
    try {
      processes.run(job, {
        onBody,
        onResult: (result) => {
          queue.end(ticket, result.milliseconds);
          onResult(result);
          this.#beginNext(queue);
        },
        onLost: (error) => {
          queue.end(ticket, job.kind === 'trace' ? performance.now() - began : 0);
          onFailed(error);
          this.#beginNext(queue);
        },
      });
    } catch (error) {
      queue.end(ticket, 0);
      onFailed(error);
    }
  }
}

function needsSteps({ service, call, definition }: CurrentCall): boolean {
  try {
    return definition?.query?.needsSteps?.(service.context, call) === true;
  } catch {
    // The call itself reports the error.
    return false;
  }
}

/** Returns the calls that prewarm a method whose first parameter is a transaction. */
function prewarmCallsOf({ service, call, definition }: CurrentCall): readonly object[] {
  if (definition?.parameters[0]?.name !== 'transaction' || !Array.isArray(call.parameters)) return [];
  try {
    return prewarmCalls(call.parameters[0], service.context.ledger);
  } catch {
    // The method reports the error in the transaction.
    return [];
  }
}

/** Returns the response of another process, and counts the call. */
function responseOf(current: CurrentCall, result: JobResult): Response {
  const { service, call } = current;
  const { context } = service;
  const { method } = call;
  const { response, outcome, message, revertData, failure } = result;
  if (failure !== '') context.onFailure?.(method, new WorkerFailedError(failure));
  // A worker has no artifacts: decode the error with those of the node.
  if (revertData !== undefined && decodesErrors(context)) {
    const output = hexToBytes(revertData.slice('0x'.length));
    return callFailed(current, new ExecutionRevertedError(output));
  }
  if (message !== '') context.onFailedCall?.(method, message);
  count(service, method, outcome, current.began);
  return response;
}

/** Writes the rest of a result. @throws RefusedError `callTimedOut` after too long a time */
function writeWithin(result: unknown, milliseconds: number): unknown {
  const job = result instanceof ResponseBody ? result.job : undefined;
  if (job === undefined) return result;
  const { done, value } = runUntil(job.write(), performance.now() + milliseconds, systemTime);
  if (done === true) return value;
  throw new RefusedError({ code: 'callTimedOut', seconds: milliseconds / 1_000 });
}

/** Returns true for the error of a query that exceeded its time. */
function isOutOfTime(thrown: unknown): boolean {
  if (thrown instanceof TraceTimeoutError) return true;
  return thrown instanceof RefusedError && thrown.reason.code === 'callTimedOut';
}
