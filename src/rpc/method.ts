import type { Shape } from '../view/index.ts';
import type { Caller } from './context/caller.ts';
import type { MethodDocumentation } from './description/documentation.ts';
import type { Call } from './envelope/envelope.ts';
import { MethodNotFoundError } from './errors.ts';
import type { ResponseBody } from './json/response-body.ts';
import {
  isTestChain,
  type MethodContext,
  type QueryContext,
  type TestChainContext,
} from './method-context.ts';
import { type ArgumentsOf, type Parameter, parametersReader } from './parameters/positional.ts';

/**
 * How the work of a method gets its turn:
 * - `quick`: a few look-ups, whatever the parameters; done in the turn of the request;
 * - `turn`: may take long; waits for a fair turn;
 * - `send`: changes the chain, or makes it go on; what only asks does not hold it up;
 * - `worker`: may take long and asks for nothing but the stored chain and its state: a worker process may do it;
 * - `trace`: such a method that runs code again: a process of its own does it, where the node has such.
 */
export type Work = 'quick' | 'turn' | 'send' | 'worker' | 'trace';

/** On which chains a method exists: on all, or on those of test mode. */
export type Chains = 'all' | 'test';

/** A call as a method sees it: by which of its names it is called, and with what. */
export type MethodCall = Pick<Call, 'method' | 'parameters'>;

/** A method that any process can answer that sees the stored chain. */
export interface Query {
  /** Throws InvalidParametersError for parameters that `invoke` would not read. */
  check(context: QueryContext, call: MethodCall): void;
  /**
   * Reads the parameters and runs the handler.
   * @throws InvalidParametersError, and what the handler throws
   */
  invoke(context: QueryContext, call: MethodCall): unknown;
  /** Whether another process would answer something else at present. Absent: none ever does. */
  staysHere?(this: void, context: MethodContext, call: MethodCall): boolean;
  /** Whether a call of it is a few look-ups, and answered at once. Absent: none is. */
  isQuick?(this: void, call: MethodCall): boolean;
  /**
   * Whether a trace takes so little that this process makes it, rather than ask another. Absent: none does.
   * @throws InvalidParametersError
   */
  isShort?(this: void, context: QueryContext, call: MethodCall): boolean;
}

/** All that is said of a method but how it is carried out. */
interface MethodDescription extends MethodDocumentation {
  readonly name: string;
  /** What others call it; it does the same by each of its names. */
  readonly aliases?: readonly string[];
  /** What the method does, in one sentence. */
  readonly summary: string;
  readonly parameters: readonly Parameter<unknown>[];
  readonly result: Shape<unknown>;
  readonly work: Work;
  /** Absent: all. */
  readonly chains?: Chains;
}

/** A method as the dispatcher calls it. */
export interface MethodDefinition extends MethodDescription {
  readonly aliases: readonly string[];
  readonly chains: Chains;
  /**
   * Reads the parameters and runs the handler.
   *
   * @param caller who calls
   * @throws InvalidParametersError, MethodNotFoundError on a chain that the method does not exist on, and what the
   *   handler throws
   */
  invoke(context: MethodContext, call: MethodCall, caller: Caller): unknown;
  /** How other processes answer it; undefined unless its work is that of a worker, or a trace. */
  readonly query: Query | undefined;
}

/** A result, or the JSON text of it. */
type ResultOf<R> = R | ResponseBody<R> | Promise<R | ResponseBody<R>>;

/** What every definition has, beside its handler and what decides about the context of that. */
interface MethodSource<P extends readonly Parameter<unknown>[], R>
  extends Omit<MethodDescription, 'work' | 'chains'> {
  readonly parameters: P;
  readonly result: Shape<R>;
}

/** A method of every chain. */
interface PlainMethod<P extends readonly Parameter<unknown>[], R> extends MethodSource<P, R> {
  readonly work: Exclude<Work, 'worker' | 'trace'>;
  readonly chains?: 'all';
  handler(this: void, context: MethodContext, given: ArgumentsOf<P>, caller: Caller): ResultOf<R>;
}

/** A method of test chains. */
interface TestMethod<P extends readonly Parameter<unknown>[], R> extends MethodSource<P, R> {
  readonly work: Exclude<Work, 'worker' | 'trace'>;
  readonly chains: 'test';
  handler(this: void, context: TestChainContext, given: ArgumentsOf<P>, caller: Caller): ResultOf<R>;
}

/** A method of every chain whose handler runs in whatever process. */
interface WorkerMethod<P extends readonly Parameter<unknown>[], R> extends MethodSource<P, R> {
  readonly work: 'worker' | 'trace';
  readonly chains?: 'all';
  readonly staysHere?: Query['staysHere'];
  readonly isQuick?: Query['isQuick'];
  isShort?(this: void, context: QueryContext, given: ArgumentsOf<P>): boolean;
  handler(this: void, context: QueryContext, given: ArgumentsOf<P>): ResultOf<R>;
}

/**
 * Defines a method: what it is called, takes, gives, and may refuse, how its work gets its turn, and where it exists.
 * What its handler works on follows from that.
 */
export function defineMethod<const P extends readonly Parameter<unknown>[], R>(
  source: PlainMethod<P, R> | TestMethod<P, R> | WorkerMethod<P, R>,
): MethodDefinition {
  const readParameters = parametersReader(source.parameters);
  const read = ({ errorStyle }: Pick<QueryContext, 'errorStyle'>, { parameters, method }: MethodCall) =>
    readParameters(parameters, method, errorStyle);
  if (isOfWorkers(source)) {
    const { handler, staysHere, isQuick } = source;
    const isShortWith = source.isShort;
    const isShort: Query['isShort'] =
      isShortWith && ((context, call) => isShortWith(context, read(context, call)));
    const invoke: Query['invoke'] = (context, call) => handler(context, read(context, call));
    const check: Query['check'] = (context, call) => void read(context, call);
    return definitionOf(source, { invoke, query: { check, invoke, staysHere, isQuick, isShort } });
  }
  if (source.chains === 'test') {
    const { handler } = source;
    const invoke: MethodDefinition['invoke'] = (context, call, caller) => {
      if (!isTestChain(context)) throw outsideTestMode(call.method);
      return handler(context, read(context, call), caller);
    };
    return definitionOf(source, { invoke });
  }
  const { handler } = source;
  const invoke: MethodDefinition['invoke'] = (context, call, caller) =>
    handler(context, read(context, call), caller);
  return definitionOf(source, { invoke });
}

/** Defines a method that controls a test chain: one of the section `control` that is carried out like a send. */
export function defineControlMethod<const P extends readonly Parameter<unknown>[], R>(
  source: Omit<TestMethod<P, R>, 'section' | 'work' | 'chains'> &
    Partial<Pick<TestMethod<P, R>, 'section' | 'work'>>,
): MethodDefinition {
  return defineMethod<P, R>({ section: 'control', work: 'send', ...source, chains: 'test' });
}

function isOfWorkers<P extends readonly Parameter<unknown>[], R>(
  source: PlainMethod<P, R> | TestMethod<P, R> | WorkerMethod<P, R>,
): source is WorkerMethod<P, R> {
  return source.work === 'worker' || source.work === 'trace';
}

/** All definitions have the same fields in the same order: the dispatcher finds them sooner then. */
function definitionOf(
  source: MethodDescription,
  { invoke, query }: Pick<MethodDefinition, 'invoke'> & Partial<Pick<MethodDefinition, 'query'>>,
): MethodDefinition {
  return {
    work: source.work,
    invoke,
    query,
    chains: source.chains ?? 'all',
    name: source.name,
    aliases: source.aliases ?? [],
    summary: source.summary,
    section: source.section,
    parameters: source.parameters,
    result: source.result,
    errors: source.errors,
    differences: source.differences,
    example: source.example,
  };
}

/** All names of a method, its own first. */
export function namesOf({ name, aliases }: MethodDefinition): readonly string[] {
  return [name, ...aliases];
}

/** The error of a method of test chains on another one. */
function outsideTestMode(name: string): MethodNotFoundError {
  return new MethodNotFoundError(
    `the method ${name} exists in test mode only: start it with \`ledgerd start --test\``,
  );
}
