import { type FlatCall, flatCalls, stateDifference } from '../../formatters/index.ts';
import {
  AccessedState,
  CallFrames,
  combineListeners,
  type EvmBuild,
  isSince,
  VmTrace,
} from '../../ledger/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { describeValue } from '../json/describe.ts';
import { mapped, type ReadBy, refusal, type Schema } from '../parameters/schema.ts';
import { arrayOf } from '../parameters/structures.ts';
import type { TraceScope, Tracing } from './tracers.ts';

const KINDS = ['trace', 'vmTrace', 'stateDiff'] as const;

const kindSchema: Schema<(typeof KINDS)[number]> = {
  describe: () => ({ type: 'string', enum: [...KINDS] }),
  read: (value, position) => {
    const kind = KINDS.find((known) => known === value);
    if (kind !== undefined) return kind;
    const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 32)) : describeValue(value);
    throw refusal(position, `expected one of ${KINDS.join(', ')}, got ${got}`);
  },
};

/** The names of the traces to make. */
export const parityKindsSchema = mapped(
  arrayOf(kindSchema, { most: KINDS.length, unit: 'kinds of traces' }),
  (kinds) => ({
    trace: kinds.includes('trace'),
    vmTrace: kinds.includes('vmTrace'),
    stateDiff: kinds.includes('stateDiff'),
  }),
);

/** The traces that a request names. */
export type ParityKinds = ReadBy<typeof parityKindsSchema>;

/** Returns the build of the engine that traces need. */
export function parityBuild({ vmTrace, stateDiff }: ParityKinds): EvmBuild {
  return vmTrace || stateDiff ? 'evm-steps' : 'evm';
}

/** Begins to trace one transaction. Its results are an object of `output` and the traces of the request. */
export function beginParityTracing(
  kinds: ParityKinds,
  scope: TraceScope,
  further: Readonly<Record<string, string>> = {},
): Tracing {
  const { state, budget, out, parties, hardfork } = scope;
  const frames = new CallFrames(budget, { onlyTop: !kinds.trace });
  const accessed = kinds.stateDiff
    ? new AccessedState(state, budget, {
        destroysOnlyNewContracts: isSince(hardfork, 'cancun'),
        withSlots: true,
      })
    : undefined;
  for (const address of parties) accessed?.access(address);
  const steps = kinds.vmTrace ? new VmTrace(state, out, budget) : undefined;
  return {
    listener: combineListeners([frames, accessed, steps].filter((listener) => listener !== undefined)),
    write: () => {
      const { output, failure } = frames.root;
      const returned = failure === undefined || failure.reason === 'revert' ? output : NO_BYTES;
      const trace = kinds.trace ? parityCalls(frames, scope) : [];
      const text = JSON.stringify({
        output: toPrefixedHex(returned),
        stateDiff: accessed === undefined ? null : stateDifference(accessed),
        trace,
        ...further,
      });
      out.add(`${text.slice(0, -1)},"vmTrace":`);
      if (steps === undefined) out.add('null');
      else steps.write();
      out.add('}');
    },
  };
}

const NO_BYTES = new Uint8Array(0);

/** Returns the calls of a transaction as Parity has them: also the outermost one without intrinsic gas and refunds. */
export function parityCalls(
  frames: CallFrames,
  { budget, isPrecompiled }: Pick<TraceScope, 'budget' | 'isPrecompiled'>,
): FlatCall[] {
  return flatCalls(frames.root, { errors: 'parity', failedResult: 'null', budget, isPrecompiled });
}
