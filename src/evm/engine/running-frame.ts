import { type Address, type Hash, toHash } from '../../protocol/index.ts';
import * as layout from '../assembly/layout.ts';
import type { EvmModule } from '../wasm-module.ts';
import type { WasmMemory } from './engine-memory.ts';

const WORD_BYTES = 32;

/** The engine whose frames run. */
export interface FrameContext {
  readonly memory: WasmMemory;
  readonly module: EvmModule;
}

/** The frame whose next instruction is about to run. One object serves all steps of an engine: valid during a step. */
export class RunningFrame {
  readonly #context: FrameContext;
  /** Running calls below this one: 0 for the transaction's own frame. */
  depth = 0;
  /** Offset of the instruction in its code. */
  programCounter = 0;
  opcode = 0;
  /** Gas that the frame has left before the instruction. */
  gas = 0n;
  stackHeight = 0;
  /** Bytes of the frame's memory (MSIZE). */
  memorySize = 0;
  /** Address after the topmost item. */
  stackTop = 0;

  constructor(context: FrameContext) {
    this.#context = context;
  }

  /** Ends the notifications of steps for this transaction, but not those of calls. */
  passOverSteps(): void {
    this.#context.module.setTracing(1, 0, 0);
  }

  get refund(): bigint {
    return this.#context.module.refund.value;
  }

  /** Fixed gas of the instruction. */
  get staticGas(): bigint {
    const rule = layout.OPCODE_RULES + this.opcode * layout.RULE_BYTES;
    return BigInt(this.#context.memory.readNumber(rule + layout.RULE_GAS));
  }

  /** The contract whose state the frame works on. */
  get address(): Address {
    return this.#context.memory.readAddress(this.#frame + layout.FRAME_ADDRESS);
  }

  /** Returns an item of the stack, 0 for the topmost; undefined below the last. */
  stackItem(fromTop: number): bigint | undefined {
    return fromTop < this.stackHeight ? this.#context.memory.readWord(this.#place(fromTop)) : undefined;
  }

  stackAddress(fromTop: number): Address | undefined {
    return fromTop < this.stackHeight ? this.#context.memory.readAddress(this.#place(fromTop)) : undefined;
  }

  /** Returns an item of the stack as 32 bytes, the most significant one first. */
  stackHash(fromTop: number): Hash | undefined {
    if (fromTop >= this.stackHeight) return undefined;
    return toHash(this.#context.memory.readWordBytes(this.#place(fromTop)));
  }

  /** Returns a view of the items, the lowest first: words of 32 bytes, the least significant byte first. */
  stackBytes(): Uint8Array {
    const start = this.stackTop - this.stackHeight * WORD_BYTES;
    return this.#context.memory.bytes.subarray(start, this.stackTop);
  }

  /** Returns a view of the frame's memory, valid during the step. */
  memoryBytes(): Uint8Array {
    const { memory } = this.#context;
    const start = memory.readNumber(this.#frame + layout.FRAME_MEMORY_START);
    return memory.bytes.subarray(start, start + this.memorySize);
  }

  /** Returns a view of the return data of the call that ended last. */
  returnData(): Uint8Array {
    const { memory, module } = this.#context;
    const length = module.returnDataLength.value >>> 0;
    return memory.bytes.subarray(layout.RETURN_DATA, layout.RETURN_DATA + length);
  }

  get #frame(): number {
    return layout.FRAMES + this.depth * layout.FRAME_BYTES;
  }

  #place(fromTop: number): number {
    return this.stackTop - (fromTop + 1) * WORD_BYTES;
  }
}
