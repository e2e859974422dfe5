import { type Address, type Hash, toHash } from '../../protocol/index.ts';
import * as layout from '../assembly/layout.ts';
import type { EvmModule } from '../wasm-module.ts';
import type { WasmMemory } from './engine-memory.ts';

const WORD_BYTES = 32;

/** The engine of a running frame. */
export interface FrameContext {
  readonly memory: WasmMemory;
  readonly module: EvmModule;
}

/** The running frame before an instruction. All steps of an engine share one object, which is valid during a step. */
export class RunningFrame {
  readonly #context: FrameContext;
  /** Depth of the call: 0 for the transaction's outermost frame. */
  depth = 0;
  /** Offset of the instruction in its code. */
  programCounter = 0;
  opcode = 0;
  /** Gas left before the instruction. */
  gas = 0n;
  stackHeight = 0;
  /** Size of the frame's memory in bytes (MSIZE). */
  memorySize = 0;
  /** Address after the topmost stack item. */
  stackTop = 0;

  constructor(context: FrameContext) {
    this.#context = context;
  }

  /** Stops the notifications of steps for this transaction, but not those of calls. */
  skipSteps(): void {
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

  /** The contract of the frame, the owner of its storage. */
  get address(): Address {
    return this.#context.memory.readAddress(this.#frame + layout.FRAME_ADDRESS);
  }

  /** Returns a stack item, 0 for the topmost; undefined beyond the last. */
  stackItem(fromTop: number): bigint | undefined {
    return fromTop < this.stackHeight ? this.#context.memory.readWord(this.#itemAddress(fromTop)) : undefined;
  }

  stackAddress(fromTop: number): Address | undefined {
    return fromTop < this.stackHeight
      ? this.#context.memory.readAddress(this.#itemAddress(fromTop))
      : undefined;
  }

  /** Returns a stack item as 32 bytes, the most significant first. */
  stackHash(fromTop: number): Hash | undefined {
    if (fromTop >= this.stackHeight) return undefined;
    return toHash(this.#context.memory.readWordBytes(this.#itemAddress(fromTop)));
  }

  /** Returns a view of the stack, the lowest item first: words of 32 bytes, the least significant byte first. */
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

  #itemAddress(fromTop: number): number {
    return this.stackTop - (fromTop + 1) * WORD_BYTES;
  }
}
