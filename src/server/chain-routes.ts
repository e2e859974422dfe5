import {
  callsMethod,
  type Dispatcher,
  errorObjectOf,
  errorResponse,
  InternalError,
  InvalidRequestError,
  LimitError,
  NO_ID,
  RpcError,
} from '../rpc/index.ts';
import { PREFLIGHT } from './access.ts';
import { type Handler, type HttpResponse, refuse } from './http-response.ts';
import type { WaitOutcome } from './metrics/metrics.ts';
import { MinBlockWaiters, type ServedHead } from './min-block-waiters.ts';
import { wantsPage } from './page.ts';
import { isPathOfCalls } from './profile-paths.ts';
import type { RouteOptions, RouteTable } from './routes.ts';

/** The services of one chain. */
export interface ServedChain extends RouteOptions {
  /** The newest block of the chain. */
  readonly head: ServedHead;
}

/** Creates further chains. */
export interface ChainSource {
  /** Returns the refusal of a chain that does not exist yet; undefined if it may be created. */
  refusal(number: number): RpcError | undefined;
  /** Creates the chain of a number. Rejects with its refusal. */
  create(number: number): Promise<ServedChain>;
}

/** A chain whose paths are served. */
interface OpenedChain {
  readonly dispatcher: Dispatcher;
  readonly handlerOf: RouteTable;
  readonly waits: MinBlockWaiters;
}

export interface ChainRoutesOptions {
  readonly source: ChainSource;
  /** Returns the route table of a chain. */
  readonly routesOf: (chain: RouteOptions, waits: MinBlockWaiters) => RouteTable;
  /** Milliseconds that a request may wait for a block. */
  readonly waitMs: number;
  onOutcome(outcome: WaitOutcome): void;
}

/** A path below that of a chain. */
export interface ChainPath {
  readonly number: number;
  /** The path on the chain, with its slash; empty for the path of the chain itself. */
  readonly rest: string;
}

const CHAIN_PATH = /^\/chain\/([1-9]\d{0,8})(\/.*)?$/s;

const ANY_CHAIN_PATH = /^\/chain(\/|$)/;

/** Returns true for `/chain` and all paths below it, also those of no chain. */
export function isChainPath(path: string): boolean {
  return ANY_CHAIN_PATH.test(path);
}

/** Reads a path such as `/chain/2/ethereum`; undefined for any other. */
export function chainPathOf(path: string): ChainPath | undefined {
  const [, digits, rest = ''] = CHAIN_PATH.exec(path) ?? [];
  return digits === undefined ? undefined : { number: Number(digits), rest };
}

/** The parts of a dispatcher that a WebSocket uses. */
export interface CallService extends Pick<Dispatcher, 'handle'> {
  readonly subscriptions: Pick<Dispatcher['subscriptions'], 'resume' | 'removeAll'>;
}

/** The further chains of a server, each created by the first call of a method: their paths and their dispatchers. */
export class ChainRoutes {
  readonly #options: ChainRoutesOptions;
  readonly #opened = new Map<number, OpenedChain>();
  readonly #opening = new Map<number, Promise<OpenedChain>>();
  readonly #listeners: ((dispatcher: Dispatcher) => void)[] = [];

  constructor(options: ChainRoutesOptions) {
    this.#options = options;
  }

  /** Calls a listener with the dispatcher of each chain that is opened from now on. */
  onOpened(listener: (dispatcher: Dispatcher) => void): void {
    this.#listeners.push(listener);
  }

  /** Returns the handler of a method for a path below that of a chain. Only a call creates the chain. */
  handlerOf(method: string, { number, rest }: ChainPath): Handler {
    const path = rest === '' ? '/' : rest;
    const isRead = method === 'GET' || method === 'HEAD';
    const takesCalls = isPathOfCalls(path);
    return (request) => {
      // The files of the explorer have paths relative to that of its page.
      if (isRead && rest === '' && wantsPage(request.headers)) {
        return { status: 308, headers: { location: `/chain/${number}/` } };
      }
      if (!this.#isKnown(number)) {
        if (method === 'OPTIONS' && takesCalls) return PREFLIGHT;
        const creates = method === 'POST' && takesCalls && callsMethod(request.body);
        if (!creates) return refuseUncreated(number);
      }
      const respond = ({ handlerOf }: OpenedChain): HttpResponse | Promise<HttpResponse> =>
        handlerOf(method, path)(request);
      const chain = this.#chain(number);
      if (!(chain instanceof Promise)) return respond(chain);
      request.connection.state = 'working';
      return chain.then(respond, responseTo);
    };
  }

  /** Returns the calls of a chain, which the first one that calls a method creates. */
  callsOf(number: number): CallService {
    const subscriptions = (): CallService['subscriptions'] | undefined =>
      this.#opened.get(number)?.dispatcher.subscriptions;
    return {
      handle: (body, caller, profile) => {
        if (!this.#isKnown(number) && !callsMethod(body)) return errorTo(uncreated(number));
        const chain = this.#chain(number);
        if (!(chain instanceof Promise)) return chain.dispatcher.handle(body, caller, profile);
        return chain.then(({ dispatcher }) => dispatcher.handle(body, caller, profile), errorTo);
      },
      subscriptions: {
        resume: (subscriber) => subscriptions()?.resume(subscriber),
        removeAll: (subscriber) => subscriptions()?.removeAll(subscriber),
      },
    };
  }

  #isKnown(number: number): boolean {
    return this.#opened.has(number) || this.#opening.has(number);
  }

  /** Returns a chain; creates it if it is unknown. Rejects as `ChainSource.create`. */
  #chain(number: number): OpenedChain | Promise<OpenedChain> {
    const known = this.#opened.get(number) ?? this.#opening.get(number);
    if (known !== undefined) return known;
    const opening = this.#open(number).finally(() => this.#opening.delete(number));
    this.#opening.set(number, opening);
    return opening;
  }

  /** Returns the refusal of a chain that cannot be created; undefined for an open one. */
  refusalOf(number: number): RpcError | undefined {
    return this.#isKnown(number) ? undefined : this.#options.source.refusal(number);
  }

  async #open(number: number): Promise<OpenedChain> {
    const { source, routesOf, waitMs, onOutcome } = this.#options;
    const chain = await source.create(number);
    const waits = new MinBlockWaiters({ head: chain.head, waitMs, onOutcome });
    const opened = { dispatcher: chain.dispatcher, handlerOf: routesOf(chain, waits), waits };
    this.#opened.set(number, opened);
    for (const listener of this.#listeners) listener(chain.dispatcher);
    return opened;
  }

  /** Notes a new connection for the calls of all chains. */
  noticeArrival(): void {
    for (const { dispatcher } of this.#opened.values()) dispatcher.noticeArrival();
  }

  /** Ends all requests that wait for blocks. */
  close(): void {
    for (const { waits } of this.#opened.values()) waits.close();
  }
}

/** Returns the refusal of a chain that was not created. */
function refusalIn(error: unknown): RpcError {
  return error instanceof RpcError || error instanceof LimitError ? error : new InternalError();
}

/** Returns the response to a request for a chain that was not created. */
function responseTo(error: unknown): HttpResponse {
  return refuse(503, refusalIn(error));
}

/** Returns the response to a message for a chain that was not created. */
function errorTo(error: unknown): string {
  return errorResponse(NO_ID, errorObjectOf(refusalIn(error)));
}

function uncreated(number: number): RpcError {
  const path = `/chain/${number}`;
  return new InvalidRequestError(
    `chain ${number} does not exist yet: send requests to ${path} or ${path}/ethereum, by POST or a WebSocket; the ` +
      'first call of a method creates it',
  );
}

function refuseUncreated(number: number): HttpResponse {
  return refuse(404, uncreated(number));
}
