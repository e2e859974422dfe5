import { bytesToHex } from '../../protocol/index.ts';
import type { RunningFrame } from '../engine/running-frame.ts';
import type { EnteredCall, LeftCall, TraceListener } from '../engine/tracing.ts';
import { instructionText } from '../opcode-names.ts';
import type { TextSink, TraceBudget } from './budget.ts';
import type { ReadableState } from './prestate.ts';

/** Parts of a struct log beside place, opcode, gas and depth. */
export interface StructLoggerOptions {
  readonly withStack: boolean;
  readonly withMemory: boolean;
  readonly withStorage: boolean;
  readonly withReturnData: boolean;
  /** Bytes of the entries after which no more are written; 0 for no such bound. */
  readonly limit: number;
}

/** An instruction that runs, or was the last; what it costs is known with what comes next. */
interface PendingEntry {
  readonly head: string;
  readonly gas: bigint;
  /** Still of this instruction, as long as none follows. */
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

/** Words why an instruction did not run as Ethereum's clients do. */
export type FailureText = (failure: NonNullable<LeftCall['failure']>) => string;

/** Reasons for which an instruction does not run at all; the others occur while it runs. */
const BEFORE_IT_RUNS: ReadonlySet<string> = new Set(['outOfGas', 'stackUnderflow', 'stackOverflow']);

/** Writes each instruction of a transaction as JSON text, an entry of `structLogs`. */
export class StructLogger implements TraceListener {
  readonly #state: Pick<ReadableState, 'storageAt'>;
  readonly #out: TextSink;
  readonly #budget: TraceBudget;
  readonly #options: StructLoggerOptions;
  readonly #failureText: FailureText;
  /** The JSON text of the slots of each contract that were read or written so far. */
  readonly #storage = new Map<string, Map<string, string>>();
  #pending: PendingEntry | undefined;
  #depth = 0;
  /** How the transaction ended, once it has. */
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
      frame.passOverSteps();
      return;
    }
    const { programCounter, opcode, gas, depth } = frame;
    const name = instructionText(opcode);
    this.#pending = {
      head: `{"pc":${programCounter},"op":"${name}","gas":${gas}`,
      ...{ gas, frame, depth },
      tail: this.#tailOf(frame),
    };
  }

  enter({ callerGas }: EnteredCall): void {
    this.#depth += 1;
    this.#budget.step();
    this.#conclude(callerGas);
  }

  leave(call: LeftCall): void {
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
    const hasError = BEFORE_IT_RUNS.has(failure.reason);
    this.#write(pending, cost, hasError ? `,"error":${JSON.stringify(this.#failureText(failure))}` : '');
  }

  #end({ failure, output }: LeftCall): void {
    const hasOutput = failure === undefined || failure.reason === 'revert';
    this.#budget.take(2 * output.length);
    this.outcome = { isFailed: failure !== undefined, returned: hasOutput ? bytesToHex(output) : '' };
  }

  /** Writes the entry of the instruction before, which left so much gas. */
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
      this.#budget.requireRoom(2 * frame.memorySize);
      tail += `,"memory":[${wordsOfMemory(frame.memoryBytes())}]`;
    }
    if (withReturnData) tail += this.#returnData(frame);
    if (withStorage && (frame.opcode === SLOAD || frame.opcode === SSTORE)) tail += this.#slots(frame);
    return tail;
  }

  #returnData(frame: RunningFrame): string {
    const returned = frame.returnData();
    if (returned.length === 0) return '';
    this.#budget.requireRoom(2 * returned.length);
    return `,"returnData":"0x${bytesToHex(returned)}"`;
  }

  /** Writes all slots of the contract that its steps have read or written, this one included. */
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
  for (let place = 0; place < bytes.length; place += WORD_BYTES) {
    text += place === 0 ? `"${textOfWord(view, place)}"` : `,"${textOfWord(view, place)}"`;
  }
  return text;
}

/** Writes a word, whose least significant byte comes first, as a QUANTITY. */
function textOfWord(view: DataView, place: number): string {
  let text = '';
  for (let offset = WORD_BYTES - PART_BYTES; offset >= 0; offset -= PART_BYTES) {
    const part = view.getUint32(place + offset, true);
    if (text !== '') text += part === 0 ? '00000000' : part.toString(16).padStart(PART_DIGITS, '0');
    else if (part !== 0) text = `0x${part.toString(16)}`;
  }
  return text === '' ? '0x0' : text;
}

/** Writes memory, a whole number of words, as JSON texts of 32 bytes each. */
function wordsOfMemory(memory: Uint8Array): string {
  const words: string[] = [];
  const bytes = Buffer.from(memory.buffer, memory.byteOffset, memory.length);
  for (let place = 0; place + WORD_BYTES <= bytes.length; place += WORD_BYTES) {
    words.push(`"0x${bytes.toString('hex', place, place + WORD_BYTES)}"`);
  }
  return words.join(',');
}
