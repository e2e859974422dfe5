import { type StructLoggerOptions, UNIMPORTANT_OPCODES } from '../../ledger/index.ts';
import { shorten } from '../json/describe.ts';
import { boundedQuantity, flagSchema, numberSchema, textSchema } from '../parameters/plain.ts';
import {
  explained,
  field,
  ignoredSchema,
  mapped,
  optional,
  type ParameterPath,
  type ReadBy,
  refusal,
  type Schema,
} from '../parameters/schema.ts';
import { arrayOf, membersOf, objectOf } from '../parameters/structures.ts';

/** Tracers of one `muxTracer`. */
const MUX_TRACERS_MAX = 8;

const flag = optional(flagSchema, false);

const callSchema = objectOf({ onlyTopCall: flag, withLog: flag }, 'ignored');
const flatSchema = objectOf({ convertParityErrors: flag, includePrecompiles: flag }, 'ignored');
const prestateSchema = objectOf(
  { diffMode: flag, disableCode: flag, disableStorage: flag, includeEmpty: flag },
  'ignored',
);

const LAST_OPCODE = 0xff;
const validationSchema = objectOf(
  {
    withLog: flag,
    ignoredOpcodes: optional(
      arrayOf(boundedQuantity(LAST_OPCODE, 'as an opcode'), { most: LAST_OPCODE + 1, unit: 'opcodes' }),
      UNIMPORTANT_OPCODES,
    ),
    // geth keeps so many items of the stack, and uses one.
    stackTopItemsSize: ignoredSchema,
  },
  'ignored',
);

/** The data that a tracer collects of a transaction that runs again. */
export type TracerRequest =
  | { readonly kind: 'steps'; readonly options: StructLoggerOptions }
  | ({ readonly kind: 'calls' } & ReadBy<typeof callSchema>)
  | ({ readonly kind: 'flatCalls' } & ReadBy<typeof flatSchema>)
  | ({ readonly kind: 'prestate' } & ReadBy<typeof prestateSchema>)
  | ({ readonly kind: 'validation' } & ReadBy<typeof validationSchema>)
  | { readonly kind: 'fourBytes' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'several'; readonly tracers: readonly (readonly [name: string, TracerRequest])[] };

/** A tracer, and its time limit. */
export interface TraceConfig {
  readonly tracer: TracerRequest;
  /** Milliseconds that the caller allows; undefined: the limit of the node. */
  readonly milliseconds: number | undefined;
}

/** The readers of the configurations of tracers, by the names of these. */
const TRACERS: ReadonlyMap<string, (config: unknown, path: ParameterPath) => TracerRequest> = new Map([
  ['callTracer', (config, path) => ({ kind: 'calls', ...callSchema.read(config, path) })],
  ['flatCallTracer', (config, path) => ({ kind: 'flatCalls', ...flatSchema.read(config, path) })],
  ['prestateTracer', readPrestate],
  ['erc7562Tracer', (config, path) => ({ kind: 'validation', ...validationSchema.read(config, path) })],
  ['4byteTracer', () => ({ kind: 'fourBytes' })],
  ['noopTracer', () => ({ kind: 'nothing' })],
  ['muxTracer', readSeveral],
]);

function readPrestate(config: unknown, path: ParameterPath): TracerRequest {
  const options = prestateSchema.read(config, path);
  if (options.diffMode && options.includeEmpty) {
    throw refusal(path, 'diffMode and includeEmpty exclude each other: give one of them');
  }
  return { kind: 'prestate', ...options };
}

function readSeveral(config: unknown, path: ParameterPath): TracerRequest {
  const entries = Object.entries(membersOf(config, path));
  if (entries.length > MUX_TRACERS_MAX) {
    throw refusal(path, `expected at most ${MUX_TRACERS_MAX} tracers, got ${entries.length}`);
  }
  const tracers = entries.map(([name, member]) => {
    const at = { within: path, key: name };
    if (name === 'muxTracer') throw refusal(at, 'a muxTracer must not contain another one');
    return [name, tracerOf(name, member, at)] as const;
  });
  return { kind: 'several', tracers };
}

function tracerOf(name: string, config: unknown, path: ParameterPath): TracerRequest {
  const read = TRACERS.get(name);
  if (read !== undefined) return read(config ?? {}, path);
  throw refusal(
    path,
    `unknown tracer ${JSON.stringify(shorten(name))}: expected one of ${[...TRACERS.keys()].join(', ')}, or no ` +
      'tracer for a log of steps; JavaScript tracers are not supported',
  );
}

const DURATION = /^(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h)/;
const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** A duration as geth takes it, such as `5s` or `1m30s`, in milliseconds. */
const durationSchema: Schema<number> = {
  describe: () => ({ type: 'string', title: 'duration', description: 'Such as `5s` or `1m30s`.' }),
  read: (value, path) => {
    let rest = textSchema.read(value, path);
    let milliseconds = 0;
    if (rest.length > MOST_DURATION_CHARACTERS) throw refusal(path, 'expected a duration such as 5s');
    do {
      const [part = ''] = DURATION.exec(rest) ?? [];
      if (part === '') throw refusal(path, 'expected a duration such as 5s or 1m30s');
      const amount = Number.parseFloat(part);
      const unit = part.replace(/^[\d.]+/, '');
      milliseconds += amount * (UNIT_MS[unit] ?? 0);
      rest = rest.slice(part.length);
    } while (rest !== '');
    return milliseconds;
  },
};
const MOST_DURATION_CHARACTERS = 64;

const anyMembers = { describe: objectOf({}, 'ignored').describe, read: membersOf };

const TRACE_FIELDS = {
  tracer: field(textSchema, `One of ${[...TRACERS.keys()].join(', ')}; absent: a log of every step.`),
  tracerConfig: field(anyMembers, 'The configuration of the tracer.'),
  timeout: field(durationSchema, 'Limited by `--trace-timeout` of the node.'),
  reexec: ignoredSchema,
  debug: ignoredSchema,
  enableMemory: flag,
  disableMemory: optional(flagSchema),
  disableStack: flag,
  disableStorage: flag,
  enableReturnData: flag,
  limit: explained(optional(numberSchema, 0), {
    description: 'Bytes after which no more steps are written; 0: no limit.',
  }),
} as const;

type GivenFields = { readonly [Key in keyof typeof TRACE_FIELDS]: ReadBy<(typeof TRACE_FIELDS)[Key]> };

/** Returns the configuration of the fields that a request has. @throws InvalidParametersError */
function configOf(given: GivenFields, path: ParameterPath): TraceConfig {
  const { tracer, tracerConfig, timeout: milliseconds } = given;
  // geth takes a text without a name for none.
  if (tracer !== undefined && tracer !== '') {
    const at = { within: path, key: TRACERS.has(tracer) ? 'tracerConfig' : 'tracer' };
    return { tracer: tracerOf(tracer, tracerConfig, at), milliseconds };
  }
  const { enableMemory, disableMemory, disableStack, disableStorage, enableReturnData, limit } = given;
  return {
    tracer: {
      kind: 'steps',
      options: {
        withStack: !disableStack,
        withMemory: disableMemory === undefined ? enableMemory : !disableMemory,
        withStorage: !disableStorage,
        withReturnData: enableReturnData,
        limit,
      },
    },
    milliseconds,
  };
}

/** A configuration with further fields of one method; absent: one without a field. */
export function traceConfigSchema<F extends Readonly<Record<string, Schema<unknown>>>>(
  further: F,
): Schema<TraceConfig & { readonly [K in keyof F]: ReadBy<F[K]> }> {
  const fields = objectOf({ ...TRACE_FIELDS, ...further }, 'ignored');
  const schema = mapped(fields, (given, path) => ({
    ...given,
    // The compiler cannot tell the fields of every configuration from those of one method.
    ...configOf(given as unknown as GivenFields, path),
  }));
  return optional(schema, schema.read({}, { within: undefined, key: 'config' })) as never;
}

/** A configuration without further fields. */
export const plainConfigSchema: Schema<TraceConfig> = traceConfigSchema({});
