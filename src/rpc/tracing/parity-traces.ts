import {
  CallFrames,
  isSince,
  TouchedState,
  type TracedBuild,
  tellingAll,
  VmTrace,
} from '../../ledger/index.ts';
import { data, type FlatCall, flatCalls, stateDifference } from '../../view/index.ts';
import type { TraceScope, Tracing } from './tracers.ts';

/** A transaction that is traced in Parity's manner, of whose gas only that of its calls is shown. */
export interface ParityTracing extends Tracing {
  write(): void;
}

/** Which traces are asked for in Parity's manner. */
export interface ParityKinds {
  readonly trace: boolean;
  readonly vmTrace: boolean;
  readonly stateDiff: boolean;
}

/** The build of the engine that they need. */
export function parityBuild({ vmTrace, stateDiff }: ParityKinds): TracedBuild {
  return vmTrace || stateDiff ? 'evm-steps' : 'evm-calls';
}

/** Begins to trace one transaction, whose results are an object of `output` and what was asked for. */
export function beginParityTracing(
  kinds: ParityKinds,
  scope: TraceScope,
  further: Readonly<Record<string, string>> = {},
): ParityTracing {
  const { state, budget, out, parties, hardfork } = scope;
  const frames = new CallFrames(budget, { onlyTop: !kinds.trace });
  const touched = kinds.stateDiff
    ? new TouchedState(state, budget, { onlyNewContractsDie: isSince(hardfork, 'cancun'), withSlots: true })
    : undefined;
  for (const address of parties) touched?.touch(address);
  const steps = kinds.vmTrace ? new VmTrace(state, out, budget) : undefined;
  return {
    listener: tellingAll([frames, touched, steps].filter((listener) => listener !== undefined)),
    write: () => {
      const { output, failure } = frames.root;
      const returned = failure === undefined || failure.reason === 'revert' ? output : NO_BYTES;
      const trace = kinds.trace ? parityCalls(frames, scope) : [];
      const text = JSON.stringify({
        output: data(returned),
        stateDiff: touched === undefined ? null : stateDifference(touched),
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

/** The calls of a transaction in Parity's manner: the outermost one, too, without intrinsic gas and refunds. */
export function parityCalls(
  frames: CallFrames,
  { budget, isPrecompiled }: Pick<TraceScope, 'budget' | 'isPrecompiled'>,
): FlatCall[] {
  return flatCalls(frames.root, { words: 'parity', failed: 'null', budget, isPrecompiled });
}
