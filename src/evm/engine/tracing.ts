import type { Address } from '../../protocol/index.ts';
import { SUCCESS } from '../assembly/halt.ts';
import * as layout from '../assembly/layout.ts';
import { type FailureReason, failureReasonOf } from '../halt-reason.ts';
import { instructionText } from '../opcode-names.ts';
import type { Log } from '../types.ts';
import { readLogs } from './engine-memory.ts';
import { type FrameContext, RunningFrame } from './running-frame.ts';

/** An instruction that calls or creates a contract. */
export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2';

/** The start of a call or creation, by the transaction or by code. */
export interface CallStart {
  readonly kind: CallKind;
  readonly from: Address;
  /** The callee, which has the code; of a creation the new contract, or zero if it fails before it has an address. */
  readonly to: Address;
  /** In wei; of a DELEGATECALL the caller's value. */
  readonly value: bigint;
  readonly gas: bigint;
  /** Gas of the caller after the charge for the instruction, which includes the gas of a creation. */
  readonly callerGas: bigint;
  /** A view of the engine's memory, valid during the event. */
  readonly input: Uint8Array;
}

/** The reason why a call failed. */
export interface CallFailure {
  readonly reason: FailureReason;
  /** Name of the failed instruction, for `invalidOpcode`, `stackUnderflow` and `stackOverflow`. */
  readonly instruction: string;
  /** Height of the stack, and the minimum or maximum height that the instruction requires. */
  readonly height: number;
  readonly bound: number;
  /** Offset of the last instruction in its code, for `revert` and `invalidOpcode`. */
  readonly programCounter: number;
}

/** The end of the innermost running call. */
export interface CallEnd {
  readonly failure: CallFailure | undefined;
  readonly gasUsed: bigint;
  /** Gas left after the frame's last instruction, before the charge for a new contract's code. */
  readonly gasLeft: bigint;
  /** Return data, the code of a new contract, or revert data; a view of the memory of the engine. */
  readonly output: Uint8Array;
  /**
   * Returns the offsets of the last instructions of the frame since its last inner frame, in order; valid during the
   * event. A fused sequence, or one opcode repeated, has the offset of its first instruction. Absent if no code ran.
   */
  path?(): readonly number[];
}

export interface SelfDestruct {
  readonly from: Address;
  readonly to: Address;
  /** In wei. */
  readonly balance: bigint;
}

/**
 * A listener for the events of running code, in order. It may read accounts and slots of the engine, but must not
 * execute anything. An error that it throws ends the execution.
 */
export interface TraceListener {
  /** True to get the paths of frames, which makes code slow; absent: they are empty. Not for a listener of steps. */
  readonly needsPaths?: boolean;
  enter?(call: CallStart): void;
  leave?(call: CallEnd): void;
  /** @param index index of the log in the transaction */
  log?(log: Log, index: number): void;
  selfDestruct?(event: SelfDestruct): void;
  /** Receives every instruction before it runs; only in the build of steps. */
  step?(frame: RunningFrame): void;
}

/** Combines listeners. The result has `step` only if one of them has it, since steps are expensive. */
export function combineListeners(listeners: readonly TraceListener[]): TraceListener {
  const [first] = listeners;
  if (listeners.length === 1 && first !== undefined) return first;
  const stepListeners = listeners.filter(({ step }) => step !== undefined);
  return {
    needsPaths: listeners.some(({ needsPaths }) => needsPaths === true),
    enter: (call) => {
      for (const listener of listeners) listener.enter?.(call);
    },
    leave: (call) => {
      for (const listener of listeners) listener.leave?.(call);
    },
    log: (log, index) => {
      for (const listener of listeners) listener.log?.(log, index);
    },
    selfDestruct: (event) => {
      for (const listener of listeners) listener.selfDestruct?.(event);
    },
    ...(stepListeners.length > 0 && {
      step: (frame) => {
        for (const listener of stepListeners) listener.step?.(frame);
      },
    }),
  };
}

const KINDS: ReadonlyMap<number, CallKind> = new Map([
  [0xf0, 'CREATE'],
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xf5, 'CREATE2'],
  [0xfa, 'STATICCALL'],
]);

/** An engine with its listener. */
export interface TracingContext extends FrameContext {
  readonly listener: TraceListener | undefined;
}

/** Returns the imports that report events. */
export function createTracingImports(context: TracingContext) {
  const frame = new RunningFrame(context);
  return {
    enter(
      kind: number,
      from: number,
      to: number,
      value: number,
      gas: bigint,
      callerGas: bigint,
      input: number,
      inputLength: number,
    ): void {
      const { memory, listener } = context;
      listener?.enter?.({
        kind: KINDS.get(kind) ?? 'CALL',
        from: memory.readAddress(from >>> 0),
        to: memory.readAddress(to >>> 0),
        value: value === 0 ? 0n : memory.readWord(value >>> 0),
        gas,
        callerGas,
        input: memory.window(input, inputLength),
      });
    },
    leave(status: number, gasUsed: bigint, output: number, outputLength: number): void {
      const { memory, listener } = context;
      const failure = status === SUCCESS ? undefined : failureOf(context, status);
      const gasLeft = memory.readLong(layout.TRACED_GAS_LEFT);
      const path = (): readonly number[] => pathOf(context);
      listener?.leave?.({ failure, gasUsed, gasLeft, output: memory.window(output, outputLength), path });
    },
    log(address: number, index: number): void {
      const [log] = readLogs(context.memory, 1, address >>> 0);
      if (log !== undefined) context.listener?.log?.(log, index);
    },
    selfdestructed(from: number, to: number, balance: number): void {
      const { memory, listener } = context;
      listener?.selfDestruct?.({
        from: memory.readAddress(from >>> 0),
        to: memory.readAddress(to >>> 0),
        balance: memory.readWord(balance >>> 0),
      });
    },
    step(
      depth: number,
      programCounter: number,
      opcode: number,
      gas: bigint,
      stackHeight: number,
      stackTop: number,
      memorySize: number,
    ): void {
      frame.depth = depth;
      frame.programCounter = programCounter >>> 0;
      frame.opcode = opcode;
      frame.gas = gas;
      frame.stackHeight = stackHeight;
      frame.stackTop = stackTop >>> 0;
      frame.memorySize = memorySize >>> 0;
      context.listener?.step?.(frame);
    },
  };
}

function failureOf({ memory }: FrameContext, status: number): CallFailure {
  return {
    reason: failureReasonOf(status),
    instruction: instructionText(memory.readNumber(layout.TRACED_OPCODE)),
    height: memory.readNumber(layout.TRACED_HEIGHT) | 0,
    bound: memory.readNumber(layout.TRACED_BOUND) | 0,
    programCounter: (memory.readNumber(layout.TRACED_END) | 0) - 1,
  };
}

/** Returns the offsets of the last instructions of the frame that ended last. */
function pathOf({ memory }: FrameContext): readonly number[] {
  const length = memory.readNumber(layout.TRACED_PATH_LENGTH);
  const codeStart = memory.readNumber(layout.TRACED_CODE_START);
  const available = Math.min(length, layout.TRACED_PATH_CAPACITY);
  return Array.from({ length: available }, (_, index) => {
    const entry = (length - available + index) % layout.TRACED_PATH_CAPACITY;
    return memory.readNumber(layout.TRACED_PATH + 4 * entry) - codeStart;
  });
}
