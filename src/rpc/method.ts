import { type Shape, shape } from '../formatters/index.ts';
import type { EvmBuild } from '../ledger/index.ts';
import type { Caller } from './context/caller.ts';
import type { RemoteChain } from './context/remote-chain.ts';
import type { MethodDocumentation } from './description/sections.ts';
import type { BeforeFork } from './fork/fork-rule.ts';
import type { ResponseBody } from './json/response-body.ts';
import type { Call } from './messages/json-rpc.ts';
import {
  isTestChain,
  type MethodContext,
  type QueryContext,
  type TestChainContext,
} from './method-context.ts';
import {
  type ArgumentsOf,
  canonicalParameters,
  type Parameter,
  parametersReader,
} from './parameters/schema.ts';
import { MethodNotFoundError } from './rpc-errors.ts';

/**
 * The scheduling of a method:
 * - `quick`: a few look-ups, whatever the parameters; runs at once;
 * - `turn`: may take long; scheduled fairly among clients;
 * - `send`: changes the chain; runs before queries;
 * - `worker`: may take long and needs nothing but the stored chain and its state: a worker process may run it;
 * - `trace`: a `worker` method that runs code again: a dedicated process runs it, where the node has one.
 */
export type Scheduling = 'quick' | 'turn' | 'send' | 'worker' | 'trace';

/** The chains that have a method: all, or those of test mode. */
export type Chains = 'all' | 'test';

/** A call as a method sees it: the name that was called, and its parameters. */
export type MethodCall = Pick<Call, 'method' | 'parameters' | 'given'>;

/** A method that any process with the stored chain can run. */
export interface Query {
  /** Throws InvalidParametersError for parameters that `invoke` would not read. */
  check(context: QueryContext, call: MethodCall): void;
  /**
   * Reads the parameters and runs the handler.
   * @throws InvalidParametersError, and what the handler throws
   */
  invoke(context: QueryContext, call: MethodCall): unknown;
  /**
   * True for a call on `/ethereum` that reads the block `pending`: it runs on the chain with that block as its head,
   * which only the node has.
   */
  namesPending(this: void, context: MethodContext, call: MethodCall): boolean;
  /** True if another process would return something else at present. Absent: none ever does. */
  staysHere?(this: void, context: MethodContext, call: MethodCall): boolean;
  /** True if a call is a few look-ups, and runs at once. Absent: none does. */
  isQuick?(this: void, call: MethodCall): boolean;
  /**
   * True if a trace is so short that this process runs it. Absent: none is.
   * @throws InvalidParametersError
   */
  isShort?(this: void, context: QueryContext, call: MethodCall): boolean;
  /**
   * True if a trace needs the build of the engine for steps. Absent: none does.
   * @throws InvalidParametersError
   */
  needsSteps?(this: void, context: QueryContext, call: MethodCall): boolean;
}

/** A method without its handler. */
interface MethodDescription extends MethodDocumentation {
  readonly name: string;
  /** Other names of the same method. */
  readonly aliases?: readonly string[];
  /** The effect of the method, in one sentence. */
  readonly summary: string;
  /** Absent: none. */
  readonly parameters?: readonly Parameter<unknown>[];
  readonly result: Shape<unknown>;
  /** Absent: `turn`. */
  readonly scheduling?: Scheduling;
  /** Absent: all. */
  readonly chains?: Chains;
}

/** A method as the dispatcher calls it. */
export interface MethodDefinition extends MethodDescription {
  readonly aliases: readonly string[];
  readonly parameters: readonly Parameter<unknown>[];
  readonly scheduling: Scheduling;
  readonly chains: Chains;
  /**
   * Reads the parameters and runs the handler.
   *
   * @throws InvalidParametersError, MethodNotFoundError on a chain without the method, and what the handler throws
   */
  invoke(context: MethodContext, call: MethodCall, caller: Caller): unknown;
  /** True if the remote chain of a fork has a part of its results: that of the history before this chain. */
  readonly readsRemote: boolean;
  /**
   * Runs a call on a forked chain, as `invoke`.
   *
   * @returns a result, or its promise, which rejects with an RpcError
   */
  invokeOnFork(remote: RemoteChain, context: MethodContext, call: MethodCall, caller: Caller): unknown;
  /** Queues what a queued call will need for other threads; throws as `invoke`. Undefined for most methods. */
  readonly expect: ((context: MethodContext, call: MethodCall) => void) | undefined;
  /** The method in other processes; undefined unless `scheduling` is `worker` or `trace`. */
  readonly query: Query | undefined;
}

/** A result, or its JSON text. */
type ResultOf<R> = R | ResponseBody<R> | Promise<R | ResponseBody<R>>;

/** The fields of a definition that do not decide about the context of its handler. */
interface MethodSource<P extends readonly Parameter<unknown>[], R>
  extends Omit<MethodDescription, 'scheduling' | 'chains'> {
  readonly parameters?: P;
  readonly result: Shape<R>;
  readonly beforeFork: BeforeFork<ArgumentsOf<P>>;
}

/** A method of every chain. */
interface PlainMethod<P extends readonly Parameter<unknown>[], R> extends MethodSource<P, R> {
  /** Absent: `turn`. */
  readonly scheduling?: Exclude<Scheduling, 'worker' | 'trace'>;
  readonly chains?: 'all';
  /** Queues what the handler will need for other threads, while the call is queued. Absent: nothing. */
  expect?(this: void, context: MethodContext, given: ArgumentsOf<P>): void;
  handler(this: void, context: MethodContext, given: ArgumentsOf<P>, caller: Caller): ResultOf<R>;
}

/** A method of test chains. */
interface TestMethod<P extends readonly Parameter<unknown>[], R>
  extends Omit<MethodSource<P, R>, 'beforeFork'> {
  readonly scheduling: Exclude<Scheduling, 'worker' | 'trace'>;
  readonly chains: 'test';
  handler(this: void, context: TestChainContext, given: ArgumentsOf<P>, caller: Caller): ResultOf<R>;
}

/** A method of every chain whose handler runs in any process. */
interface WorkerMethod<P extends readonly Parameter<unknown>[], R> extends MethodSource<P, R> {
  readonly scheduling: 'worker' | 'trace';
  readonly chains?: 'all';
  readonly staysHere?: Query['staysHere'];
  /** Default: a parameter is `pending`, or names it by EIP-1898. */
  readonly namesPending?: Query['namesPending'];
  readonly isQuick?: Query['isQuick'];
  isShort?(this: void, context: QueryContext, given: ArgumentsOf<P>): boolean;
  /** Returns the build of the engine that a trace needs. Absent: `evm`. */
  build?(this: void, given: ArgumentsOf<P>): EvmBuild;
  handler(this: void, context: QueryContext, given: ArgumentsOf<P>): ResultOf<R>;
}

/** Defines a method. The context of its handler follows from `scheduling` and `chains`. */
export function defineMethod<const P extends readonly Parameter<unknown>[] = readonly [], R = unknown>(
  source: PlainMethod<P, R> | TestMethod<P, R> | WorkerMethod<P, R>,
): MethodDefinition {
  // Without parameters, P is an empty list.
  const readParameters = parametersReader(source.parameters ?? ([] as readonly Parameter<unknown>[] as P));
  const read = ({ profile }: Pick<QueryContext, 'profile'>, { parameters, method }: MethodCall) =>
    readParameters(parameters, method, profile.errorStyle);
  if (isOfWorkers(source)) {
    const { handler, staysHere, isQuick, namesPending = hasPending } = source;
    const { isShort: isShortWith, build } = source;
    const isShort: Query['isShort'] =
      isShortWith && ((context, call) => isShortWith(context, read(context, call)));
    const needsSteps: Query['needsSteps'] =
      build && ((context, call) => build(read(context, call)) === 'evm-steps');
    const invoke: Query['invoke'] = (context, call) => handler(context, read(context, call));
    const check: Query['check'] = (context, call) => void read(context, call);
    return definitionOf(source, {
      invoke,
      invokeOnFork: byRule(source, read, handler),
      query: { check, invoke, namesPending, staysHere, isQuick, isShort, needsSteps },
    });
  }
  if (source.chains === 'test') {
    const { handler } = source;
    const invoke: MethodDefinition['invoke'] = (context, call, caller) => {
      if (!isTestChain(context)) throw outsideTestMode(call.method);
      return handler(context, read(context, call), caller);
    };
    return definitionOf(source, { invoke });
  }
  const { handler, expect: expectGiven } = source;
  if (expectGiven === undefined) {
    const invoke: MethodDefinition['invoke'] = (context, call, caller) =>
      handler(context, read(context, call), caller);
    return definitionOf(source, { invoke, invokeOnFork: byRule(source, read, handler) });
  }
  const expect: MethodDefinition['expect'] = (context, call) => {
    if (call.given !== undefined) return;
    const given = read(context, call);
    call.given = given;
    expectGiven(context, given);
  };
  const invoke: MethodDefinition['invoke'] = (context, call, caller) =>
    // Only `expect` of the same method sets them.
    handler(context, (call.given as ArgumentsOf<P> | undefined) ?? read(context, call), caller);
  return definitionOf(source, { invoke, expect });
}

/** Returns what runs a method on a forked chain by its rule; undefined for one that is of this chain alone. */
function byRule<P extends readonly Parameter<unknown>[]>(
  { name, parameters, beforeFork }: Pick<MethodSource<P, unknown>, 'name' | 'parameters' | 'beforeFork'>,
  read: (context: MethodContext, call: MethodCall) => ArgumentsOf<P>,
  handler: (context: MethodContext, given: ArgumentsOf<P>, caller: Caller) => unknown,
): MethodDefinition['invokeOnFork'] | undefined {
  if (beforeFork === 'local') return undefined;
  return (remote, context, call, caller) =>
    beforeFork(
      {
        remote,
        context,
        method: name,
        parameters: () => canonicalParameters(parameters ?? [], call.parameters),
        here: (given) => handler(context, given, caller),
      },
      read(context, call),
    );
}

/** Returns true for a call with a parameter that is `pending`, or that names it by EIP-1898. */
export function hasPending(_context: unknown, { parameters }: MethodCall): boolean {
  if (!Array.isArray(parameters)) return false;
  for (const value of parameters) {
    if (value === PENDING || (isObject(value) && Reflect.get(value, 'blockNumber') === PENDING)) return true;
  }
  return false;
}

const PENDING = 'pending';

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Fields that a family of methods shares, any of which a method may replace. */
type WithDefaults<M, K extends keyof M> = Omit<M, K> & Partial<Pick<M, K>>;

/** Defines a method about the node, by a few look-ups: of the section `client`. */
export function defineClientMethod<R>(
  source: WithDefaults<Omit<PlainMethod<readonly [], R>, 'beforeFork'>, 'section' | 'scheduling'>,
): MethodDefinition {
  return defineMethod<readonly [], R>({
    section: 'client',
    scheduling: 'quick',
    ...source,
    beforeFork: 'local',
  });
}

/** Defines a method of test mode: of the section `testMode`, scheduled like a send. */
export function defineTestMethod<const P extends readonly Parameter<unknown>[] = readonly [], R = unknown>(
  source: WithDefaults<Omit<TestMethod<P, R>, 'chains'>, 'section' | 'scheduling'>,
): MethodDefinition {
  return defineMethod<P, R>({ section: 'testMode', scheduling: 'send', ...source, chains: 'test' });
}

/** Defines a method that controls a test chain: of the section `control`, scheduled like a send. */
export function defineControlMethod<const P extends readonly Parameter<unknown>[] = readonly [], R = unknown>(
  source: WithDefaults<Omit<TestMethod<P, R>, 'section' | 'chains'>, 'scheduling'>,
): MethodDefinition {
  return defineTestMethod<P, R>({ section: 'control', ...source });
}

/** Defines a method that controls a test chain and returns null once its handler is done. */
export function defineControlAction<const P extends readonly Parameter<unknown>[] = readonly []>({
  handler,
  ...source
}: Omit<WithDefaults<TestMethod<P, null>, 'section' | 'scheduling'>, 'result' | 'chains' | 'handler'> & {
  handler(this: void, context: TestChainContext, given: ArgumentsOf<P>): unknown;
}): MethodDefinition {
  return defineTestMethod<P, null>({
    section: 'control',
    ...source,
    result: shape.null,
    handler: (context, given) => {
      const done = handler(context, given);
      return done instanceof Promise ? done.then(() => null) : null;
    },
  });
}

/** Returns a function that defines methods of a section whose handlers run in any process. */
function queryDefiner(section: MethodDescription['section']) {
  return <const P extends readonly Parameter<unknown>[] = readonly [], R = unknown>(
    source: Omit<WorkerMethod<P, R>, 'section' | 'scheduling'>,
  ): MethodDefinition => defineMethod<P, R>({ section, scheduling: 'worker', ...source });
}

/** Defines a query of accounts, code or storage: of the section `state`. */
export const defineStateQuery = queryDefiner('state');
/** Defines a query of blocks or transactions: of the section `blocks`. */
export const defineBlockQuery = queryDefiner('blocks');
/** Defines a query of Otterscan that runs no code: of the section `otterscan`. */
export const defineOtterscanQuery = queryDefiner('otterscan');

/** Defines a method that runs code again: of the section `traces`. */
export function defineTraceMethod<const P extends readonly Parameter<unknown>[] = readonly [], R = unknown>(
  source: WithDefaults<WorkerMethod<P, R>, 'section' | 'scheduling'>,
): MethodDefinition {
  return defineMethod<P, R>({ section: 'traces', scheduling: 'trace', ...source });
}

/** The prefixes of the peers' test nodes, and of their clients, before the names of methods that control a chain. */
const PEERS = ['anvil', 'hardhat', 'ganache'] as const;

/**
 * Returns the names of a method that controls a test chain.
 *
 * @param actions the name behind each peer's prefix, or several such names
 * @param others further names
 */
export function peerNames(actions: string | readonly string[], ...others: readonly string[]) {
  const names = [actions].flat().flatMap((action) => PEERS.map((peer) => `${peer}_${action}`));
  const [name = '', ...aliases] = [...names, ...others];
  return { name, aliases };
}

/** The parts of a method that the native interface replaces: its documentation, and the handler of one about the node. */
export interface NativeDifference
  extends Partial<Pick<MethodDefinition, 'summary' | 'result' | 'errors' | 'differences' | 'example'>> {
  readonly handler?: (context: MethodContext) => unknown;
}

/** Returns a method of the native interface, which reads no remote chain, no pending block and no past state. */
export function asNative(
  method: MethodDefinition,
  { handler, ...documentation }: NativeDifference = {},
): MethodDefinition {
  if (handler !== undefined) {
    const { name, aliases, summary, result } = method;
    return defineClientMethod({ name, aliases, summary, result, ...documentation, handler });
  }
  const { invoke, expect, query } = method;
  return definitionOf(
    { ...method, ...documentation },
    {
      invoke,
      expect,
      query: query && { ...query, namesPending: () => false, isQuick: query.isQuick && (() => true) },
    },
  );
}

function isOfWorkers<P extends readonly Parameter<unknown>[], R>(
  source: PlainMethod<P, R> | TestMethod<P, R> | WorkerMethod<P, R>,
): source is WorkerMethod<P, R> {
  return source.scheduling === 'worker' || source.scheduling === 'trace';
}

/** All definitions have the same fields in the same order, so that the dispatcher reads them faster. */
function definitionOf(
  source: MethodDescription,
  {
    invoke,
    invokeOnFork,
    query,
    expect,
  }: Pick<MethodDefinition, 'invoke'> & Partial<Pick<MethodDefinition, 'invokeOnFork' | 'query' | 'expect'>>,
): MethodDefinition {
  return {
    scheduling: source.scheduling ?? 'turn',
    invoke,
    readsRemote: invokeOnFork !== undefined,
    invokeOnFork: invokeOnFork ?? ((_remote, context, call, caller) => invoke(context, call, caller)),
    expect,
    query,
    chains: source.chains ?? 'all',
    name: source.name,
    aliases: source.aliases ?? [],
    summary: source.summary,
    section: source.section,
    parameters: source.parameters ?? [],
    result: source.result,
    errors: source.errors,
    differences: source.differences,
    example: source.example,
  };
}

/** Returns all names of a method, the main one first. */
export function namesOf({ name, aliases }: MethodDefinition): readonly string[] {
  return [name, ...aliases];
}

function outsideTestMode(name: string): MethodNotFoundError {
  return new MethodNotFoundError(
    `the method ${name} exists in test mode only: start it with \`ledgerd start --test\``,
  );
}
