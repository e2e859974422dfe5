import { RefusedError } from '../ledger/index.ts';
import { QUICK_BODY_BYTES_MAX } from '../limits.ts';
import { type Stopwatch, systemTime } from '../time.ts';
import { type BatchSource, type Response, respondToBatch } from './batch.ts';
import { type Caller, NO_CLIENT } from './callers.ts';
import { OTHER_METHOD, type Outcome, type RpcContext } from './context.ts';
import { type Call, errorResponse, type RequestId, readRequest, resultResponse } from './envelope.ts';
import { InvalidRequestError, LimitError, type MethodNotFoundError, TraceTimeoutError } from './errors.ts';
import { ETHEREUM_METHODS, unknownEthereumMethod, withoutEthereum } from './ethereum/index.ts';
import { failureOf, outcomeOf } from './failure.ts';
import { type BatchItems, parsedUntilWaiting } from './json/batch-items.ts';
import { textOfResult } from './json/json-text.ts';
import { LongBody } from './json/long-body.ts';
import { LongReading } from './json/long-reading.ts';
import { parseJson } from './json/parse.ts';
import { answerByTurns } from './long-requests.ts';
import type { Account } from './memory/accountant.ts';
import { valueBytes } from './memory/value-bytes.ts';
import type { MethodDefinition, Query } from './method.ts';
import type { MethodContext } from './method-context.ts';
import { methodContexts } from './method-contexts.ts';
import type { Profile } from './profile.ts';
import { METHODS, type MethodRegistry, unknownMethod } from './registry.ts';
import type { Subscriptions } from './subscriptions/subscriptions.ts';
import { trialRequest } from './trials.ts';
import { CallCosts } from './turns/call-costs.ts';
import { type LocalQuery, Offload } from './turns/offload.ts';
import { type TurnAsking, Turns } from './turns/turns.ts';
import { type QueryWorkers, WorkerFailedError } from './workers/query-workers.ts';

/** Answers JSON-RPC 2.0. */
export interface Dispatcher {
  /**
   * Answers the body of a request, single or batch. Never throws; a failure is an error object in the text.
   * The answer is a promise only when a method takes its time, or when others have their turn first.
   *
   * @param caller whose calls are counted and take turns; absent: this process itself
   * @param profile in whose shapes it is answered
   * @returns the body of the response; undefined when there is nothing to answer, or nobody to answer to
   */
  handle(
    body: Uint8Array | string | LongBody,
    caller?: Caller,
    profile?: Profile,
  ): Response | Promise<Response>;
  /**
   * Runs other work for a caller, which takes turns with the calls that may take long.
   * Rejects with `LimitError` where too many wait.
   */
  takeTurn<T>(caller: Caller, work: () => T): T | Promise<Awaited<T> | undefined>;
  /** Takes note of a client that has connected: calls that may take long give way to those who come. */
  noticeArrival(): void;
  /** What its callers have subscribed to. */
  readonly subscriptions: Pick<Subscriptions, 'answered' | 'resume' | 'removeAll' | 'size'>;
}

/** What a chain without Ethereum serves at `/ethereum`. */
const NO_METHODS: MethodRegistry = new Map();

/** Name in reports of what is no call of a method. */
const NO_METHOD = 'request';

/** Where the responses of a dispatcher in the shapes of a profile come from. */
interface Desk {
  readonly time: Stopwatch;
  readonly profile: Profile;
  readonly context: MethodContext;
  readonly methods: MethodRegistry;
  /** The error for a name that is not among them. */
  readonly unknownMethod: (name: string) => MethodNotFoundError;
  readonly turns: Turns;
  /** Where queries go; absent where there are no workers. */
  readonly offload: Offload | undefined;
}

/** A call that is answered. */
interface Asked {
  readonly call: Call;
  /** Undefined where there is no such method. */
  readonly definition: MethodDefinition | undefined;
  readonly caller: Caller;
  /** When it was asked, by the clock of the desk. */
  readonly began: number;
}

/**
 * Creates the dispatcher of a node.
 *
 * @param methods those of the ledger's own interface
 * @param workers other processes that answer queries; absent: this one answers all
 * @param ethereumMethods those of `/ethereum`, on a chain that has it
 */
export function createDispatcher(
  context: RpcContext,
  methods: MethodRegistry = METHODS,
  workers?: QueryWorkers,
  ethereumMethods: MethodRegistry = ETHEREUM_METHODS,
): Dispatcher {
  const { time = systemTime } = context;
  const contexts = methodContexts(context, { ledger: methods, ethereum: ethereumMethods }, time);
  const costs = new CallCosts();
  const turns = new Turns(contexts.ledger.limits.turnMsMax, costs, time, context.longWork);
  const takeTurn: Turns['take'] = (asking, work) => turns.take(asking, work);
  const offload = workers === undefined ? undefined : new Offload({ workers, costs, takeTurn });
  const deskOf = (
    profile: Profile,
    own: MethodRegistry,
    unknown: (name: string) => MethodNotFoundError,
  ): Desk => ({
    ...{ time, turns, offload, profile },
    ...{ context: contexts[profile], methods: own, unknownMethod: unknown },
  });
  const native = deskOf('ledger', methods, unknownMethod);
  const ethereum = deskOf('ethereum', ethereumMethods, unknownEthereumMethod);
  const closed = deskOf('ethereum', NO_METHODS, withoutEthereum);
  const chosenDesk = (profile: Profile): Desk => {
    if (profile === 'ledger') return native;
    // Asked each time: a test chain can take the place of another one.
    return context.ledger.knowsEthereum ? ethereum : closed;
  };
  return {
    handle: (body, caller = { client: NO_CLIENT }, profile = 'ledger') => {
      const desk = chosenDesk(profile);
      turns.noticeArrival();
      if (body instanceof LongBody) return handleLong(desk, body, caller);
      if (body.length <= QUICK_BODY_BYTES_MAX) return handle(desk, body, caller);
      const began = time.now();
      return unlessRefused(
        turns.take({ caller }, () => handle(desk, body, caller)),
        (thrown) => failed(desk, NO_METHOD, null, thrown, began),
      );
    },
    takeTurn: (caller, work) => turns.take({ caller }, work),
    noticeArrival: () => turns.noticeArrival(),
    subscriptions: contexts.subscriptions,
  };
}

/** Answers what is not let in, since too many calls wait. */
function unlessRefused(
  answer: Response | Promise<Response>,
  refuse: (thrown: unknown) => Response,
): Response | Promise<Response> {
  return answer instanceof Promise ? answer.catch(refuse) : answer;
}

function handle(desk: Desk, body: Uint8Array | string, caller: Caller): Response | Promise<Response> {
  const began = desk.time.now();
  const { limits } = desk.context;
  try {
    const parsed = parseJson(body, limits);
    if (!Array.isArray(parsed)) return respond(desk, parsed, caller, began);
    checkBatch(parsed.length, limits.batchRequestsMax);
    const isLarge = typeof body !== 'string' && body.length > QUICK_BODY_BYTES_MAX;
    const items = isLarge ? parsedUntilWaiting(body, parsed) : parsed;
    return answerBatch(desk, items, batchSource(desk, caller), began);
  } catch (thrown) {
    return unreadable(desk, caller, thrown, began);
  }
}

/** Answers a body that is too long to be read at once. */
function handleLong(desk: Desk, body: LongBody, caller: Caller): Response | Promise<Response> {
  const began = desk.time.now();
  const { limits } = desk.context;
  const checkCount = (count: number): void => checkBatch(count, limits.batchRequestsMax);
  const source = batchSource(desk, caller);
  const answer = answerByTurns(new LongReading(body, { ...limits, checkCount }), {
    turnMsMax: limits.turnMsMax,
    takeTurn: source.takeTurn,
    isGone: source.isGone,
    respond: (read) =>
      read.kind === 'batch'
        ? answerBatch(desk, read.items, source, began)
        : respond(desk, read.value, caller, began),
    fail: (thrown) => unreadable(desk, caller, thrown, began),
  });
  return unlessRefused(answer, (thrown) => failed(desk, NO_METHOD, null, thrown, began));
}

function answerBatch(
  desk: Desk,
  items: BatchItems,
  source: BatchSource,
  began: number,
): Response | Promise<Response> {
  return unlessRefused(respondToBatch(items, source), (thrown) =>
    failed(desk, NO_METHOD, null, thrown, began),
  );
}

/** Reading it was work, too, so that it counts. */
function unreadable(desk: Desk, caller: Caller, thrown: unknown, began: number): Response {
  return failed(desk, NO_METHOD, null, caller.admit?.() ?? thrown, began);
}

function batchSource(desk: Desk, caller: Caller): BatchSource {
  let isBegun = false;
  return {
    limits: desk.context.limits,
    respond: (request) => respond(desk, request, caller, desk.time.now()),
    refuse: (request, error) => failed(desk, NO_METHOD, readRequest(request).id, error, desk.time.now()),
    takeTurn: (work) => {
      const asking = { caller, isBegun };
      isBegun = true;
      return desk.turns.take(asking, work);
    },
    isGone: () => caller.isGone?.() === true,
    account: caller.account,
  };
}

function checkBatch(count: number, most: number): void {
  if (count === 0) throw new InvalidRequestError('invalid request: the batch is empty');
  if (count > most) {
    throw new LimitError(`the batch has ${count} requests, more than the limit of ${most}`);
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
  const definition = desk.methods.get(method);
  const asked: Asked = { call: request, definition, caller, began };
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
  const { offload, turns } = desk;
  const query = definition?.query;
  const isStaying = offload === undefined || query?.staysHere?.(desk.context, call) === true;
  if (!isStaying && query !== undefined && call.id !== undefined) {
    return offload.answer(localQuery(desk, asked, query));
  }
  const asking: TurnAsking = { caller, call, isSend: definition?.work === 'send' };
  const refuse = (thrown: unknown): Response => failed(desk, call.method, call.id, thrown, began);
  const requests = offload === undefined ? [] : trialRequests(desk, asked);
  if (offload === undefined || requests.length === 0) {
    return unlessRefused(
      turns.take(asking, () => answerWithRoom(desk, asked), began),
      refuse,
    );
  }
  return offload
    .tryBefore(asking, requests)
    .then((isThere) =>
      isThere ? turns.take({ ...asking, isBegun: true }, () => answerWithRoom(desk, asked)) : undefined,
    )
    .catch(refuse);
}

/** What a worker is to try before a call is carried out. */
function trialRequests({ context }: Desk, { call, definition }: Asked): readonly string[] {
  try {
    return definition?.trials?.(context, call).map(trialRequest) ?? [];
  } catch {
    // What is wrong with it is said when it is carried out.
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
function holding(account: Account, parameters: unknown, response: Promise<Response>): Promise<Response> {
  const bytes = valueBytes(parameters);
  account.hold('values', bytes);
  return response.finally(() => account.release('values', bytes));
}

/** How this process would answer a query itself, or passes on what a worker has answered. */
function localQuery(desk: Desk, asked: Asked, query: Query): LocalQuery {
  const { context } = desk;
  const { call, caller, began } = asked;
  const { id, method } = call;
  return {
    caller,
    call,
    profile: desk.profile,
    check: () => query.check(call),
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
        return succeeded(desk, call, query.invoke({ ...context, limits }, call), began);
      } catch (thrown) {
        if (isOutOfTime(thrown)) throw thrown;
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

/** Whether a query was given up for its time. */
function isOutOfTime(thrown: unknown): boolean {
  if (thrown instanceof TraceTimeoutError) return true;
  return thrown instanceof RefusedError && thrown.reason.code === 'callTimedOut';
}

function answer(desk: Desk, { call, definition, caller, began }: Asked): Response | Promise<Response> {
  const { method, id } = call;
  try {
    if (definition === undefined) throw desk.unknownMethod(method);
    const result = definition.invoke(desk.context, call, caller);
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

function count({ context, time }: Desk, method: string, outcome: Outcome, began: number): void {
  context.onCall?.(method, outcome, time.now() - began);
}
