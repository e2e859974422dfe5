import type { z } from 'zod';
import type { InclusionWatch, LedgerQueries } from '../ledger/index.ts';
import type { Wallet } from '../wallet/index.ts';
import type { NodeStatus, RpcContext, RpcLimits } from './context.ts';
import type { MethodDocumentation } from './description/documentation.ts';
import type { OpenRpcDocument } from './description/openrpc-document.ts';
import { InvalidParametersError, MethodNotFoundError } from './errors.ts';
import type { FilterRegistry } from './filters/filter-registry.ts';
import type { IncludedAnswers } from './included-answers.ts';
import type { JsonText } from './json/json-text.ts';
import { quickReaderOf, UNCOMMON } from './schemas/quick-reader.ts';

const NO_PARAMETERS: readonly unknown[] = [];

/** One positional parameter; its name is what messages and the description of the interface call it. */
export interface Parameter<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** What it is for, where name and schema do not say all. */
  readonly summary?: string;
}

/** What the handlers of queries work on: the stored chain and its state, which other processes see as well. */
export interface QueryContext {
  readonly ledger: LedgerQueries;
  readonly limits: RpcLimits;
  /** What was answered of blocks before. */
  readonly included: IncludedAnswers;
}

/** What handlers work on: the context, its gaps filled with defaults. */
export interface MethodContext extends RpcContext {
  readonly nodeStatus: NodeStatus;
  readonly limits: RpcLimits;
  readonly filters: FilterRegistry;
  readonly inclusions: InclusionWatch;
  /** What was answered of blocks before. */
  readonly included: IncludedAnswers;
  /** The description of the whole interface. */
  describe(): JsonText<OpenRpcDocument>;
  /** The names of the methods that the node serves. */
  readonly servedMethods: readonly string[];
}

/** What handlers work on that keep something for a client. */
export interface ClientContext extends MethodContext {
  /** Whom the connection that asks is counted with. */
  readonly client: string;
}

/** What the handlers of test mode work on. */
export interface TestModeContext extends MethodContext {
  readonly wallet: Wallet;
}

/** A method that any process can answer that sees the stored chain. */
export interface Query {
  /** Throws InvalidParametersError for parameters that `invoke` would not read. */
  check(parameters: unknown): void;
  /**
   * Reads the parameters and runs the handler.
   * @throws InvalidParametersError, and what the handler throws
   */
  invoke(context: QueryContext, parameters: unknown): unknown;
}

/** A method as the dispatcher calls it. */
export interface MethodDefinition extends MethodDocumentation {
  readonly name: string;
  /** What the method does, in one sentence. */
  readonly summary: string;
  readonly parameters: readonly Parameter<unknown>[];
  /** What the method answers, for the description of the interface and for tests. */
  readonly result: z.ZodType;
  /** Whether the method exists in test mode only. */
  readonly testModeOnly: boolean;
  /**
   * Reads the parameters and runs the handler.
   *
   * @param client whom the connection that asks is counted with
   * @throws InvalidParametersError, MethodNotFoundError outside test mode, and what the handler throws
   */
  invoke(context: MethodContext, parameters: unknown, client: string): unknown;
  /** How other processes answer it; absent where only the ledger's own process can. */
  readonly query?: Query;
}

type ArgumentsOf<P extends readonly Parameter<unknown>[]> = {
  readonly [I in keyof P]: P[I] extends Parameter<infer T> ? T : never;
};

/** What a method answers, or the JSON text of it. */
type Answer<R> = R | JsonText<R>;

interface MethodSource<P extends readonly Parameter<unknown>[], R, C> extends MethodDocumentation {
  readonly name: string;
  readonly summary: string;
  readonly parameters: P;
  readonly result: z.ZodType<R>;
  handler(this: void, context: C, ...parameters: ArgumentsOf<P>): Answer<R> | Promise<Answer<R>>;
}

/** Defines a method of the interface. */
export function defineMethod<const P extends readonly Parameter<unknown>[], R>(
  source: MethodSource<P, R, MethodContext>,
): MethodDefinition {
  const read = parametersReader(source.name, source.parameters);
  return {
    ...describe(source),
    testModeOnly: false,
    invoke: (context, parameters) => source.handler(context, ...read(parameters)),
  };
}

/** Defines a method that keeps something for the client that asks. */
export function defineClientMethod<const P extends readonly Parameter<unknown>[], R>(
  source: MethodSource<P, R, ClientContext>,
): MethodDefinition {
  const read = parametersReader(source.name, source.parameters);
  return {
    ...describe(source),
    testModeOnly: false,
    invoke: (context, parameters, client) => source.handler({ ...context, client }, ...read(parameters)),
  };
}

/** Defines a method that asks for nothing but the stored chain and its state. */
export function defineQuery<const P extends readonly Parameter<unknown>[], R>(
  source: MethodSource<P, R, QueryContext>,
): MethodDefinition {
  const read = parametersReader(source.name, source.parameters);
  const invoke: Query['invoke'] = (context, parameters) => source.handler(context, ...read(parameters));
  return { ...describe(source), testModeOnly: false, invoke, query: { check: read, invoke } };
}

/** Defines a method that exists in test mode only; elsewhere it is answered as one that does not exist. */
export function defineTestMethod<const P extends readonly Parameter<unknown>[], R>(
  source: MethodSource<P, R, TestModeContext>,
): MethodDefinition {
  const read = parametersReader(source.name, source.parameters);
  return {
    ...describe(source),
    testModeOnly: true,
    invoke: (context, parameters) => {
      if (!isTestMode(context)) throw outsideTestMode(source.name);
      return source.handler(context, ...read(parameters));
    },
  };
}

function isTestMode(context: MethodContext): context is TestModeContext {
  return context.wallet !== undefined;
}

/** The error of a test-mode method on a node without a wallet. */
function outsideTestMode(name: string): MethodNotFoundError {
  return new MethodNotFoundError(
    `the method ${name} exists in test mode only: start it with \`ledgerd start --test\``,
  );
}

function describe<P extends readonly Parameter<unknown>[], R, C>(source: MethodSource<P, R, C>) {
  const { handler: _, ...description } = source;
  return description;
}

/** Prepares reading the parameters of a method: they are positional. */
function parametersReader<const P extends readonly Parameter<unknown>[]>(
  method: string,
  parameters: P,
): (given: unknown) => ArgumentsOf<P> {
  const readers = parameters.map(parameterReader);
  return (given) => {
    const values = given ?? NO_PARAMETERS;
    if (!Array.isArray(values)) {
      throw new InvalidParametersError(
        'invalid parameters: expected an array, parameters by name are not supported',
      );
    }
    if (parameters.length > 0 && values.length > parameters.length) {
      throw new InvalidParametersError(
        `too many parameters: ${method} takes at most ${parameters.length}, got ${values.length}`,
      );
    }
    const read: unknown[] = [];
    for (const reader of readers) read.push(reader(values));
    // The values come from the schemas of these parameters, one each and in their order.
    return read as unknown as ArgumentsOf<P>;
  };
}

/** Prepares reading the parameter at an index: by its quick reader where it has the common form, else by its schema. */
function parameterReader(
  parameter: Parameter<unknown>,
  index: number,
): (values: readonly unknown[]) => unknown {
  const readQuickly = quickReaderOf(parameter.schema) ?? (() => UNCOMMON);
  return (values) => {
    const value = readQuickly(values[index]);
    return value === UNCOMMON ? readBySchema(parameter, index, values) : value;
  };
}

function readBySchema(parameter: Parameter<unknown>, index: number, values: readonly unknown[]): unknown {
  const parsed = parameter.schema.safeParse(values[index]);
  if (parsed.success) return parsed.data;
  const label = `parameter ${index + 1} (${parameter.name})`;
  if (index >= values.length) throw new InvalidParametersError(`missing ${label}`);
  throw new InvalidParametersError(`invalid ${label}: ${describeIssue(parsed.error.issues[0])}`);
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'not acceptable';
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
