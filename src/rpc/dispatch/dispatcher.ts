import { SharedBound } from '../../caching/bounded-map.ts';
import { lazily } from '../../caching/lazily.ts';
import { InclusionWatch } from '../../ledger/index.ts';
import {
  CallCosts,
  type ConnectionBudget,
  CooperativeScheduler,
  QUICK_BODY_BYTES_MAX,
  type Work,
} from '../../scheduling/index.ts';
import { systemTime, type Time } from '../../time/time.ts';
import { type Caller, NO_CLIENT } from '../context/caller.ts';
import type { NodeDependencies } from '../context/node-dependencies.ts';
import { STANDALONE_STATUS } from '../context/node-status.ts';
import type { ProfileId } from '../context/profile-id.ts';
import { DEFAULT_RPC_LIMITS } from '../context/rpc-limits.ts';
import type { OpenRpcDocument } from '../description/openrpc-document.ts';
import { Feeds } from '../feeds/feeds.ts';
import type { Subscriptions } from '../feeds/subscriptions.ts';
import { type Response, ResponseBody } from '../json/response-body.ts';
import { RESPONSE_CACHE_CHARACTERS_MAX } from '../json/text-in-pieces.ts';
import { LongBody } from '../json/text-writer.ts';
import { withGroupedError } from '../messages/error-groups.ts';
import { type Call, type Malformed, NO_ID, parseRequests, readRequest } from '../messages/json-rpc.ts';
import type { MethodDefinition } from '../method.ts';
import type { MethodContext } from '../method-context.ts';
import {
  describeInterface,
  ETHEREUM_INTERFACE,
  type InterfaceDescription,
  LEDGER_INTERFACE,
} from '../openrpc/describe-interface.ts';
import {
  ETHEREUM_METHODS,
  METHODS,
  type MethodRegistry,
  PROFILES,
  unknownMethod,
  withoutEthereum,
} from '../registries.ts';
import { BlockFactsCache } from '../response-cache/block-facts-cache.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';
import { InvalidRequestError, LimitError } from '../rpc-errors.ts';
import type { JobProcesses } from '../workers/jobs.ts';
import { Batch, type BatchSource } from './batch.ts';
import { EthereumClients, withEthereumHint } from './ethereum-clients.ts';
import { type BatchRequests, LongBodyParser } from './long-body-parser.ts';
import { QueryRouter } from './query-router.ts';
import {
  type BatchSlices,
  type CurrentCall,
  catchRefusal,
  expectCall,
  failed,
  NO_METHOD,
  type ProfileService,
  run,
} from './run-call.ts';
import { valueBytes } from './value-bytes.ts';

function profileContexts(
  context: NodeDependencies,
  methods: Readonly<Record<ProfileId, MethodRegistry>>,
  time: Time,
): Readonly<Record<ProfileId, MethodContext>> & { readonly subscriptions: Subscriptions } {
  const { ledger, wallet, responseCharacters = new SharedBound(RESPONSE_CACHE_CHARACTERS_MAX) } = context;
  const limits = { ...DEFAULT_RPC_LIMITS, ...context.limits };
  const nodeStatus = context.nodeStatus ?? STANDALONE_STATUS;
  const shared = {
    ...context,
    limits,
    nodeStatus,
    blockFacts: new BlockFactsCache(ledger),
    pending: ledger.pool.pending,
    inclusions: context.inclusions ?? new InclusionWatch(ledger),
    impersonates: (address: Parameters<MethodContext['impersonates']>[0]) =>
      wallet?.impersonates(address) === true,
  };
  const contextOf = (id: ProfileId) => {
    const profile = PROFILES[id];
    return {
      ...shared,
      profile,
      objects: profile.objects,
      signer: profile.sending.signer(context),
      responses: new ResponseCache(ledger, responseCharacters),
    };
  };
  const native = contextOf('ledger');
  const ethereum = contextOf('ethereum');
  const feeds = new Feeds({ ledger: native, ethereum }, time);
  return {
    subscriptions: feeds.subscriptions,
    ledger: {
      ...native,
      ...feeds.of(PROFILES.ledger),
      ...servedInterface(context, methods.ledger, LEDGER_INTERFACE),
    },
    ethereum: {
      ...ethereum,
      ...feeds.of(PROFILES.ethereum),
      ...servedInterface(context, methods.ethereum, ETHEREUM_INTERFACE),
    },
  };
}

/** Selects the methods that exist on the chain of a node, and describes them. */
function servedInterface(
  { wallet, control, version }: NodeDependencies,
  methods: MethodRegistry,
  about: InterfaceDescription,
): Pick<MethodContext, 'describe' | 'servedMethods'> {
  const isTestChain = wallet !== undefined && control !== undefined;
  const isServed = ({ chains }: MethodDefinition): boolean => chains !== 'test' || isTestChain;
  const served = lazily(() => new Map([...methods].filter(([, method]) => isServed(method))));
  const describe = lazily((): ResponseBody<OpenRpcDocument> => {
    const document = JSON.stringify(describeInterface(served().values(), version, about));
    return new ResponseBody(Buffer.from(document));
  });
  return { describe, servedMethods: () => served().keys() };
}

/** A JSON-RPC 2.0 service. */
export interface Dispatcher {
  /**
   * Responds to the body of a request, single or batch. Never throws: a failure is an error object in the response.
   * Returns a promise for a method that may take long, and while other calls are scheduled first.
   *
   * @param caller client whose calls are counted and scheduled; absent: this process
   * @returns the body of the response; undefined for a body of notifications, and for a disconnected caller
   */
  handle(
    body: Uint8Array | string | LongBody,
    caller?: Caller,
    profile?: ProfileId,
  ): Response | Promise<Response>;
  /** Schedules a task of a caller among the calls that may take long. Rejects with `LimitError` for too many. */
  schedule<T>(caller: Caller, work: Work<T>): T | Promise<Awaited<T> | undefined>;
  /** Notes a new connection: calls that may take long yield to new clients. */
  noticeArrival(): void;
  /** Sets an action before each round of calls that may take long, such as sending finished responses. */
  beforeRounds(act: () => void): void;
  readonly subscriptions: Pick<Subscriptions, 'resume' | 'removeAll' | 'size'>;
}

/** The methods of `/ethereum` on a chain without Ethereum. */
const NO_METHODS: MethodRegistry = new Map();

/**
 * Creates the dispatcher of a node.
 *
 * @param methods methods of `/`
 * @param processes processes that run queries and traces; absent: this process runs all
 * @param ethereumMethods methods of `/ethereum`, on a chain with Ethereum
 */
export function createDispatcher(
  context: NodeDependencies,
  methods: MethodRegistry = METHODS,
  processes?: JobProcesses,
  ethereumMethods: MethodRegistry = ETHEREUM_METHODS,
): Dispatcher {
  const { time = systemTime } = context;
  const contexts = profileContexts(context, { ledger: methods, ethereum: ethereumMethods }, time);
  const costs = new CallCosts();
  const scheduler = new CooperativeScheduler(
    contexts.ledger.limits.timeSliceMsMax,
    costs,
    time,
    context.backoff,
  );
  scheduler.runTogether((tasks) => context.ledger.pool.together(tasks));
  const router = new QueryRouter(costs, scheduler, processes);
  const shared = { time, scheduler, router };
  const native: RoutedService = {
    ...shared,
    profile: 'ledger',
    context: contexts.ledger,
    methods,
    unknownMethod: (name) => unknownMethod('ledger', name),
    explain: (error, _thrown, _method, call) => withEthereumHint(context, call, error),
    ethereumClients: new EthereumClients(time, (client, method) => {
      if (context.ledger.parameters.knowsEthereum) context.onEthereumClient?.(client, method);
    }),
  };
  const ethereum: RoutedService = {
    ...shared,
    profile: 'ethereum',
    context: contexts.ethereum,
    methods: ethereumMethods,
    unknownMethod: (name) => unknownMethod('ethereum', name),
    explain: (error, thrown, method) => withGroupedError(method, thrown, error),
  };
  const closed = { ...ethereum, methods: NO_METHODS, unknownMethod: withoutEthereum };
  const services: Readonly<Record<ProfileId, () => RoutedService>> = {
    ledger: () => native,
    // Checked for each request, since a test chain can be replaced.
    ethereum: () => (context.ledger.parameters.knowsEthereum ? ethereum : closed),
  };
  return {
    handle: (body, caller = { client: NO_CLIENT }, profile = 'ledger') => {
      const service = services[profile]();
      scheduler.noticeArrival();
      if (body instanceof LongBody) return handleLong(service, body, caller);
      if (body.length <= QUICK_BODY_BYTES_MAX) return handle(service, body, caller);
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      return handleLong(service, new LongBody([bytes]), caller);
    },
    schedule: (caller, task) => scheduler.run({ caller }, task),
    noticeArrival: () => scheduler.noticeArrival(),
    beforeRounds: (act) => scheduler.beforeRounds(act),
    subscriptions: contexts.subscriptions,
  };
}

interface RoutedService extends ProfileService {
  readonly router: QueryRouter;
  /** Of the native interface. */
  readonly ethereumClients?: EthereumClients;
}

function handle(
  service: RoutedService,
  body: Uint8Array | string,
  caller: Caller,
): Response | Promise<Response> {
  const began = service.time.now();
  const { limits } = service.context;
  try {
    const parsed = parseRequests(body, limits);
    if (!Array.isArray(parsed)) return respond(service, readRequest(parsed), caller, began);
    checkBatch(parsed.length, limits.batchRequestsMax);
    return handleBatch(service, parsed, batchSource(service, caller), began);
  } catch (thrown) {
    return unreadable(service, caller, thrown, began);
  }
}

/** Responds to a body that is too long to be parsed at once. */
function handleLong(service: RoutedService, body: LongBody, caller: Caller): Response | Promise<Response> {
  const began = service.time.now();
  const { limits } = service.context;
  const checkCount = (count: number): void => checkBatch(count, limits.batchRequestsMax);
  const source = batchSource(service, caller);
  const parser = new LongBodyParser(body, { ...limits, checkCount });
  const answer = function* (): Generator<void, Response | Promise<Response>> {
    try {
      const read = yield* parser.parse();
      return read.kind === 'batch'
        ? handleBatch(service, read.items, source, began)
        : respond(service, readRequest(read.value), caller, began);
    } catch (thrown) {
      return unreadable(service, caller, thrown, began);
    }
  };
  const response = service.scheduler.run({ caller, onYield: () => parser.releaseParsed() }, answer());
  return catchRefusal(response, (thrown) => failed(service, NO_METHOD, NO_ID, thrown, began));
}

function handleBatch(
  service: RoutedService,
  items: BatchRequests,
  source: BatchSource,
  began: number,
): Response | Promise<Response> {
  return catchRefusal(new Batch(items, source).run(), (thrown) =>
    failed(service, NO_METHOD, NO_ID, thrown, began),
  );
}

/** Responds to a malformed body, which counts as a call. */
function unreadable(service: RoutedService, caller: Caller, thrown: unknown, began: number): Response {
  return failed(service, NO_METHOD, NO_ID, caller.admit?.() ?? thrown, began);
}

function respond(
  service: RoutedService,
  request: Call | Malformed,
  caller: Caller,
  began: number,
  onBatchSlice?: BatchSlices,
): Response | Promise<Response> {
  const refusal = caller.admit?.();
  if (request.kind === 'malformed') {
    return failed(service, NO_METHOD, request.id, refusal ?? request.error, began);
  }
  const { method, id } = request;
  if (refusal !== undefined) return failed(service, method, id, refusal, began);
  const definition = service.methods.get(method);
  if (definition !== undefined) service.ethereumClients?.note(caller, request);
  const current: CurrentCall = { service, call: request, definition, caller, began, onBatchSlice };
  if (definition?.scheduling === 'quick' || definition?.query?.isQuick?.(request) === true)
    return run(current);
  const { budget } = caller;
  if (budget === undefined) return service.router.respond(current);
  if (!budget.mayBegin()) return failed(service, method, id, budget.refusal, began);
  const response = service.router.respond(current);
  return response instanceof Promise ? countParameters(budget, request.parameters, response) : response;
}

/** Counts the bytes of the parameters of a queued call in a budget. */
function countParameters(
  budget: ConnectionBudget,
  parameters: unknown,
  response: Promise<Response>,
): Promise<Response> {
  const bytes = valueBytes(parameters);
  budget.hold('values', bytes);
  return response.finally(() => budget.release('values', bytes));
}

function batchSource(service: RoutedService, caller: Caller): BatchSource {
  return {
    limits: service.context.limits,
    respond: (request, onSlice) => respond(service, request, caller, service.time.now(), onSlice),
    expect: (request) => request.kind === 'call' && expectCall(service, request),
    refuse: ({ id }, error) => failed(service, NO_METHOD, id, error, service.time.now()),
    scheduler: service.scheduler,
    caller,
  };
}

function checkBatch(count: number, max: number): void {
  if (count === 0) throw new InvalidRequestError('invalid request: the batch is empty');
  if (count > max) {
    throw new LimitError(`the batch has ${count} requests, more than the limit of ${max}`);
  }
}
