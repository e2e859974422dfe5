import { QUICK_BODY_BYTES_MAX } from '../../limits.ts';
import { CallCosts, CooperativeScheduler, MORE } from '../../scheduling/index.ts';
import { systemTime } from '../../time.ts';
import { type Caller, NO_CLIENT } from '../context/caller.ts';
import type { NodeParts } from '../context/node-parts.ts';
import type { ProfileId } from '../context/profile-id.ts';
import { readRequest } from '../envelope/envelope.ts';
import { InvalidRequestError, LimitError } from '../errors.ts';
import type { Subscriptions } from '../feeds/subscriptions.ts';
import { LongBody } from '../json/long-body.ts';
import { type BatchItems, LongReading } from '../json/long-reading.ts';
import { parseJson } from '../json/parse.ts';
import type { Response } from '../json/response-body.ts';
import {
  ETHEREUM_METHODS,
  METHODS,
  type MethodRegistry,
  unknownMethod,
  withoutEthereum,
} from '../registries.ts';
import type { JobProcesses } from '../workers/jobs.ts';
import { type BatchSource, respondToBatch } from './batch.ts';
import { type Desk, failed, NO_METHOD, respond, unlessRefused } from './call-desk.ts';
import { profileContexts } from './profile-contexts.ts';
import { QueryRouter } from './query-router.ts';

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
    profile?: ProfileId,
  ): Response | Promise<Response>;
  /**
   * Runs other work for a caller, which takes turns with the calls that may take long.
   * Rejects with `LimitError` where too many wait.
   */
  takeTurn<T>(caller: Caller, work: () => T): T | Promise<Awaited<T> | undefined>;
  /** Takes note of a client that has connected: calls that may take long give way to those who come. */
  noticeArrival(): void;
  /** Has something done before each round of calls that may take long: what is answered need not wait for it. */
  beforeRounds(act: () => void): void;
  /** What its callers have subscribed to. */
  readonly subscriptions: Pick<Subscriptions, 'resume' | 'removeAll' | 'size'>;
}

/** What a chain without Ethereum serves at `/ethereum`. */
const NO_METHODS: MethodRegistry = new Map();

/**
 * Creates the dispatcher of a node.
 *
 * @param methods those of the ledger's own interface
 * @param processes other processes that run queries and traces; absent: this one answers all
 * @param ethereumMethods those of `/ethereum`, on a chain that has it
 */
export function createDispatcher(
  context: NodeParts,
  methods: MethodRegistry = METHODS,
  processes?: JobProcesses,
  ethereumMethods: MethodRegistry = ETHEREUM_METHODS,
): Dispatcher {
  const { time = systemTime } = context;
  const contexts = profileContexts(context, { ledger: methods, ethereum: ethereumMethods }, time);
  const costs = new CallCosts();
  const scheduler = new CooperativeScheduler(contexts.ledger.limits.turnMsMax, costs, time, context.backoff);
  const takeTurn: CooperativeScheduler['run'] = (task, step, began) => scheduler.run(task, step, began);
  const router = new QueryRouter({ processes, costs, takeTurn });
  const deskOf = (profile: ProfileId, own: MethodRegistry, unknown: Desk['unknownMethod']): Desk => ({
    ...{ time, scheduler, router, profile },
    ...{ context: contexts[profile], methods: own, unknownMethod: unknown },
  });
  const native = deskOf('ledger', methods, (name) => unknownMethod('ledger', name));
  const ethereum = deskOf('ethereum', ethereumMethods, (name) => unknownMethod('ethereum', name));
  const closed = deskOf('ethereum', NO_METHODS, withoutEthereum);
  const chosenDesk = (profile: ProfileId): Desk => {
    if (profile === 'ledger') return native;
    // Asked each time: a test chain can take the place of another one.
    return context.ledger.knowsEthereum ? ethereum : closed;
  };
  return {
    handle: (body, caller = { client: NO_CLIENT }, profile = 'ledger') => {
      const desk = chosenDesk(profile);
      scheduler.noticeArrival();
      if (body instanceof LongBody) return handleLong(desk, body, caller);
      if (body.length <= QUICK_BODY_BYTES_MAX) return handle(desk, body, caller);
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      return handleLong(desk, new LongBody([bytes]), caller);
    },
    takeTurn: (caller, work) => scheduler.run({ caller }, work),
    noticeArrival: () => scheduler.noticeArrival(),
    beforeRounds: (act) => scheduler.beforeRounds(act),
    subscriptions: contexts.subscriptions,
  };
}

function handle(desk: Desk, body: Uint8Array | string, caller: Caller): Response | Promise<Response> {
  const began = desk.time.now();
  const { limits } = desk.context;
  try {
    const parsed = parseJson(body, limits);
    if (!Array.isArray(parsed)) return respond(desk, parsed, caller, began);
    checkBatch(parsed.length, limits.batchRequestsMax);
    return answerBatch(desk, parsed, batchSource(desk, caller), began);
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
  const reading = new LongReading(body, { ...limits, checkCount });
  const step = (): Response | Promise<Response> | typeof MORE => {
    try {
      const read = reading.step();
      if (read === undefined) return MORE;
      return read.kind === 'batch'
        ? answerBatch(desk, read.items, source, began)
        : respond(desk, read.value, caller, began);
    } catch (thrown) {
      return unreadable(desk, caller, thrown, began);
    }
  };
  const answer = desk.scheduler.run({ caller, onYield: () => reading.letGo() }, step);
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
  return {
    limits: desk.context.limits,
    respond: (request, worked) => respond(desk, request, caller, desk.time.now(), { worked }),
    refuse: (request, error) => failed(desk, NO_METHOD, readRequest(request).id, error, desk.time.now()),
    scheduler: desk.scheduler,
    caller,
  };
}

function checkBatch(count: number, most: number): void {
  if (count === 0) throw new InvalidRequestError('invalid request: the batch is empty');
  if (count > most) {
    throw new LimitError(`the batch has ${count} requests, more than the limit of ${most}`);
  }
}
