import type { RunningFrame } from '../engine/running-frame.ts';
import type { TraceListener } from '../engine/tracing.ts';

/** An instruction that is about to run, as plain data. */
export interface Step {
  /** Running calls below this one: 0 for the transaction's own frame. */
  readonly depth: number;
  readonly programCounter: number;
  readonly opcode: number;
  readonly gas: bigint;
  readonly refund: bigint;
  readonly stackHeight: number;
  /** The topmost item; undefined of an empty stack. */
  readonly stackTop: bigint | undefined;
  readonly memorySize: number;
}

/** Returns the step of a frame that is about to run an instruction. */
function stepOf(frame: RunningFrame): Step {
  const { depth, programCounter, opcode, gas, refund, stackHeight, memorySize } = frame;
  return {
    depth,
    programCounter,
    opcode,
    gas,
    refund,
    stackHeight,
    stackTop: frame.stackItem(0),
    memorySize,
  };
}

/** A listener that passes every step on as plain data. */
export function listeningToSteps(tell: (step: Step) => void): TraceListener {
  return { step: (frame) => tell(stepOf(frame)) };
}
