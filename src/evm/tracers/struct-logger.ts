import { bytesToHex } from '../../protocol/index.ts';
import type { RunningFrame } from '../engine/running-frame.ts';
import type { CallEnd, CallStart, TraceListener } from '../engine/tracing.ts';
import { instructionText } from '../opcode-names.ts';
import type { TextSink, TraceBudget } from './budget.ts';
import type { ReadableState } from './prestate.ts';

/** The optional fields of a struct log. */
export interface StructLoggerOptions {
  readonly withStack: boolean;
  readonly withMemory: boolean;
  readonly withStorage: boolean;
  readonly withReturnData: boolean;
  /** Maximum bytes of entries, after which no more are written; 0 for no limit. */
  readonly limit: number;
}

/** The last instruction. The next event determines its cost. */
interface PendingEntry {
  readonly head: string;
  readonly gas: bigint;
  /** The frame in the state of this instruction, until the next step. */
  readonly frame: RunningFrame;
  readonly depth: number;
  readonly tail: string;
}

interface StructLogOutcome {
  readonly isFailed: boolean;
  /** Hexadecimal digits of the return data, or of the data of a revert. */
  readonly returned: string;
}

const WORD_BYTES = 32;
const PART_BYTES = 4;
const PART_DIGITS = 8;
const SLOAD = 0x54;
const SSTORE = 0x55;

/** Returns the error text of a failed instruction, in the words of Ethereum clients. */
export type FailureText = (failure: NonNullable<CallEnd['failure']>) => string;

/** Failures that prevent an instruction from running; the others occur while it runs. */
const FAILURES_BEFORE_RUN: ReadonlySet<string> = new Set(['outOfGas', 'stackUnderflow', 'stackOverflow']);

/** Writes each instruction of a transaction as JSON text, an entry of `structLogs`. */
export class StructLogger implements TraceListener {
  readonly #state: Pick<ReadableState, 'storageAt'>;
  readonly #out: TextSink;
  readonly #budget: TraceBudget;
  readonly #options: StructLoggerOptions;
  readonly #failureText: FailureText;
  /** JSON texts of the slots that were read or written so far, by contract and slot. */
  readonly #storage = new Map<string, Map<string, string>>();
  #pending: PendingEntry | undefined;
  #depth = 0;
  /** The outcome of the transaction, once it has ended. */
  outcome: StructLogOutcome = { isFailed: false, returned: '' };
  #written = 0;
  #count = 0;

  constructor(
    state: Pick<ReadableState, 'storageAt'>,
    out: TextSink,
    budget: TraceBudget,
    options: StructLoggerOptions,
    failureText: FailureText,
  ) {
    this.#state = state;
    this.#out = out;
    this.#budget = budget;
    this.#options = options;
    this.#failureText = failureText;
  }

  step(frame: RunningFrame): void {
    this.#budget.step();
    this.#conclude(frame.gas);
    const { limit } = this.#options;
    if (limit > 0 && this.#written > limit) {
      frame.skipSteps();
      return;
    }
    const { programCounter, opcode, gas, depth } = frame;
    const name = instructionText(opcode);
    this.#pending = {
      head: `{"pc":${programCounter},"op":"${name}","gas":${gas}`,
      gas,
      frame,
      depth,
      tail: this.#tailOf(frame),
    };
  }

  enter({ callerGas }: CallStart): void {
    this.#depth += 1;
    this.#budget.step();
    this.#conclude(callerGas);
  }

  leave(call: CallEnd): void {
    this.#depth -= 1;
    if (this.#depth === 0) this.#end(call);
    const { failure, gasLeft } = call;
    const pending = this.#pending;
    if (pending === undefined) return;
    if (failure === undefined || failure.reason === 'revert' || failure.reason === 'depositOutOfGas') {
      this.#conclude(gasLeft);
      return;
    }
    const { staticGas } = pending.frame;
    const isAllGas = failure.reason === 'outOfGas' && staticGas < pending.gas;
    const cost = isAllGas ? pending.gas : staticGas;
    const hasError = FAILURES_BEFORE_RUN.has(failure.reason);
    this.#write(pending, cost, hasError ? `,"error":${JSON.stringify(this.#failureText(failure))}` : '');
  }

  #end({ failure, output }: CallEnd): void {
    const hasOutput = failure === undefined || failure.reason === 'revert';
    this.#budget.take(2 * output.length);
    this.outcome = { isFailed: failure !== undefined, returned: hasOutput ? bytesToHex(output) : '' };
  }

  /** Writes the entry of the previous instruction, after which `gasLeft` was left. */
  #conclude(gasLeft: bigint): void {
    if (this.#pending !== undefined) this.#write(this.#pending, this.#pending.gas - gasLeft, '');
  }

  #write({ head, depth, tail }: PendingEntry, cost: bigint, error: string): void {
    this.#pending = undefined;
    const separator = this.#count === 0 ? '' : ',';
    const text = `${separator}${head},"gasCost":${cost},"depth":${depth + 1}${error}${tail}}`;
    this.#count += 1;
    this.#written += text.length;
    this.#budget.write(text.length);
    this.#out.add(text);
  }

  #tailOf(frame: RunningFrame): string {
    const { withStack, withMemory, withStorage, withReturnData } = this.#options;
    let tail = '';
    const { refund } = frame;
    if (refund !== 0n) tail += `,"refund":${refund}`;
    if (withStack) tail += `,"stack":[${stackText(frame)}]`;
    if (withMemory && frame.memorySize > 0) {
      this.#budget.requireSpace(2 * frame.memorySize);
      tail += `,"memory":[${wordsOfMemory(frame.memoryBytes())}]`;
    }
    if (withReturnData) tail += this.#returnData(frame);
    if (withStorage && (frame.opcode === SLOAD || frame.opcode === SSTORE)) tail += this.#slots(frame);
    return tail;
  }

  #returnData(frame: RunningFrame): string {
    const returned = frame.returnData();
    if (returned.length === 0) return '';
    this.#budget.requireSpace(2 * returned.length);
    return `,"returnData":"0x${bytesToHex(returned)}"`;
  }

  /** Returns all slots of the contract that its steps have read or written, including this step. */
  #slots(frame: RunningFrame): string {
    const slot = frame.stackHash(0);
    const isWrite = frame.opcode === SSTORE;
    const { address } = frame;
    const value = slot && (isWrite ? frame.stackHash(1) : this.#state.storageAt(address, slot));
    if (slot === undefined || value === undefined) return '';
    const contract = bytesToHex(address);
    const slots: Map<string, string> = this.#storage.get(contract) ?? new Map();
    this.#storage.set(contract, slots);
    const key = bytesToHex(slot);
    slots.set(key, `"0x${key}":"0x${bytesToHex(value)}"`);
    return `,"storage":{${[...slots.values()].join(',')}}`;
  }
}

function stackText(frame: RunningFrame): string {
  const bytes = frame.stackBytes();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = '';
  for (let offset = 0; offset < bytes.length; offset += WORD_BYTES) {
    text += offset === 0 ? `"${textOfWord(view, offset)}"` : `,"${textOfWord(view, offset)}"`;
  }
  return text;
}

/** Formats a little-endian word as a QUANTITY. */
function textOfWord(view: DataView, start: number): string {
  let text = '';
  for (let offset = WORD_BYTES - PART_BYTES; offset >= 0; offset -= PART_BYTES) {
    const part = view.getUint32(start + offset, true);
    if (text !== '') text += part === 0 ? '00000000' : part.toString(16).padStart(PART_DIGITS, '0');
    else if (part !== 0) text = `0x${part.toString(16)}`;
  }
  return text === '' ? '0x0' : text;
}

/** Formats memory, a whole number of words, as JSON strings of 32 bytes each. */
function wordsOfMemory(memory: Uint8Array): string {
  const words: string[] = [];
  const bytes = Buffer.from(memory.buffer, memory.byteOffset, memory.length);
  for (let offset = 0; offset + WORD_BYTES <= bytes.length; offset += WORD_BYTES) {
    words.push(`"0x${bytes.toString('hex', offset, offset + WORD_BYTES)}"`);
  }
  return words.join(',');
}
