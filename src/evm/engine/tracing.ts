import type { WasmMemory } from '../wasm-memory.ts';
import type { EvmImports, EvmModule } from '../wasm-module.ts';

const WORD_BYTES = 32;

/** An instruction that is about to run. */
export interface Step {
  /** Running calls below this one: 0 for the transaction's own frame. */
  readonly depth: number;
  /** Offset of the instruction in its code. */
  readonly programCounter: number;
  readonly opcode: number;
  /** Gas that the frame has left before the instruction. */
  readonly gas: bigint;
  /** The transaction's refund counter. */
  readonly refund: bigint;
  /** Items on the frame's stack. */
  readonly stackHeight: number;
  /** The topmost of them; undefined of an empty stack. */
  readonly stackTop: bigint | undefined;
  /** Bytes of the frame's memory (MSIZE). */
  readonly memorySize: number;
}

/** Gets every step, in their order. It must not call the engine, and what it throws ends the execution. */
export type StepListener = (step: Step) => void;

/** Where the engine's account of the running frame is read from. */
interface StepContext {
  readonly memory: WasmMemory;
  readonly module: EvmModule;
}

/** The import that the traced build calls before every instruction. */
export function createStepImport(context: StepContext, trace: StepListener | undefined): EvmImports['step'] {
  return (depth, programCounter, opcode, gas, stackHeight, stackTop, memorySize) => {
    if (trace === undefined) return;
    const top = stackHeight === 0 ? undefined : context.memory.readWord((stackTop >>> 0) - WORD_BYTES);
    trace({
      depth,
      programCounter: programCounter >>> 0,
      opcode,
      gas,
      refund: context.module.refund.value,
      stackHeight,
      stackTop: top,
      memorySize: memorySize >>> 0,
    });
  };
}
