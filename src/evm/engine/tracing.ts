import type { Address } from '../../protocol/index.ts';
import { SUCCESS } from '../assembly/halt.ts';
import * as layout from '../assembly/layout.ts';
import { type EndReason, endReasonOf } from '../halt-reason.ts';
import { instructionText } from '../opcode-names.ts';
import type { Log } from '../types.ts';
import { readLogs } from './engine-memory.ts';
import { type FrameContext, RunningFrame } from './running-frame.ts';

/** An instruction that calls a contract, or creates one. */
export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2';

/** A call or a creation that begins: the transaction's own, or one of code. */
export interface EnteredCall {
  readonly kind: CallKind;
  readonly from: Address;
  /** The callee, whose code runs; of a creation the new contract, or zero where it fails before it has an address. */
  readonly to: Address;
  /** In Wei; of a DELEGATECALL the caller's own. */
  readonly value: bigint;
  readonly gas: bigint;
  /** Gas of the caller after the charge for the instruction, the gas of a creation included. */
  readonly callerGas: bigint;
  /** A view of the engine's memory, valid during the event. */
  readonly input: Uint8Array;
}

/** The reason why a call failed. */
export interface CallFailure {
  readonly reason: EndReason;
  /** Name of the instruction that could not run: of `invalidOpcode`, `stackUnderflow` and `stackOverflow`. */
  readonly instruction: string;
  /** Items on the stack then, and the least or the most that the instruction bears. */
  readonly height: number;
  readonly bound: number;
  /** Offset of the last instruction in its code: of `revert` and `invalidOpcode`. */
  readonly programCounter: number;
}

/** The end of the call that began last and has not ended. */
export interface LeftCall {
  readonly failure: CallFailure | undefined;
  readonly gasUsed: bigint;
  /** Gas after the frame's last instruction, before a creation's code is charged. */
  readonly gasLeft: bigint;
  /** Return data, the code of a new contract, or revert data; a view of the memory of the engine. */
  readonly output: Uint8Array;
  /**
   * Reads, during the event, the offsets of the last instructions of the frame since its last call, in their order.
   * A fused sequence has the offset of its first instruction. Absent where no code ran.
   */
  path?(): readonly number[];
}

/** A contract that gives its balance away. */
export interface SelfDestruct {
  readonly from: Address;
  readonly to: Address;
  /** In Wei. */
  readonly balance: bigint;
}

/**
 * Receives the events of running code, in their order. It may read accounts and slots of the engine, but must not
 * execute anything. An error that it throws ends the execution.
 */
export interface TraceListener {
  enter?(call: EnteredCall): void;
  leave?(call: LeftCall): void;
  /** @param index how many logs of the transaction there are before it */
  log?(log: Log, index: number): void;
  selfDestruct?(event: SelfDestruct): void;
  /** Receives every instruction before it runs, in the build of steps alone. */
  step?(frame: RunningFrame): void;
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

/** Returns the imports that the traced builds call while there is a listener. */
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
    log(place: number, index: number): void {
      const [log] = readLogs(context.memory, 1, place >>> 0);
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
    reason: endReasonOf(status),
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
  const kept = Math.min(length, layout.TRACED_PATH_CAPACITY);
  return Array.from({ length: kept }, (_, index) => {
    const entry = (length - kept + index) % layout.TRACED_PATH_CAPACITY;
    return memory.readNumber(layout.TRACED_PATH + 4 * entry) - codeStart;
  });
}
