import { type Address, bytesToHex, delegationOf } from '../../protocol/index.ts';
import type { RunningFrame } from '../engine/running-frame.ts';
import type { CallEnd, CallStart, TraceListener } from '../engine/tracing.ts';
import { opcodeName } from '../opcode-names.ts';
import type { TextSink, TraceBudget } from './budget.ts';
import type { ReadableState } from './prestate.ts';

/** The last instruction of a frame. The next step of the frame determines its effects. */
interface PendingStep {
  readonly pc: number;
  readonly opcode: number;
  readonly gas: bigint;
  /** Gas cost, once it is known. */
  cost: bigint | undefined;
  /** Offset and length of the memory that it writes. */
  readonly writtenRange: readonly [number, number] | undefined;
  /** The JSON text of the slot that it writes. */
  readonly store: string | undefined;
  /** The JSON text of its inner call. */
  sub: string | undefined;
}

interface OpenFrame {
  readonly code: string;
  readonly ops: string[];
  pending: PendingStep | undefined;
}

const SSTORE = 0x55;
/** Stack positions of offset and length of the memory that an opcode writes; `fixed` is a constant length. */
const WRITTEN_RANGES = new Map<number, { offset: number; length: number; fixed?: number }>([
  [0x37, { offset: 0, length: 2 }],
  [0x39, { offset: 0, length: 2 }],
  [0x3c, { offset: 1, length: 3 }],
  [0x3e, { offset: 0, length: 2 }],
  [0x51, { offset: 0, length: 0, fixed: 32 }],
  [0x52, { offset: 0, length: 0, fixed: 32 }],
  [0x53, { offset: 0, length: 0, fixed: 1 }],
  [0x5e, { offset: 0, length: 2 }],
  [0xf1, { offset: 5, length: 6 }],
  [0xf2, { offset: 5, length: 6 }],
  [0xf4, { offset: 4, length: 5 }],
  [0xfa, { offset: 4, length: 5 }],
]);
/** Opcodes that push nothing. */
const WITHOUT_RESULT: ReadonlySet<number> = new Set([
  0x00, 0x37, 0x39, 0x3c, 0x3e, 0x50, 0x52, 0x53, 0x55, 0x56, 0x57, 0x5b, 0x5d, 0x5e, 0xa0, 0xa1, 0xa2, 0xa3,
  0xa4, 0xf3, 0xfd, 0xfe, 0xff,
]);

/** Writes every instruction of a transaction in the format of Parity's vmTrace, a tree of frames. */
export class VmTrace implements TraceListener {
  readonly #state: ReadableState;
  readonly #out: TextSink;
  readonly #budget: TraceBudget;
  readonly #open: OpenFrame[] = [];
  #text = '';

  constructor(state: ReadableState, out: TextSink, budget: TraceBudget) {
    this.#state = state;
    this.#out = out;
    this.#budget = budget;
  }

  /** Writes the tree after the end of the transaction. */
  write(): void {
    this.#out.add(this.#text === '' ? '{"code":"0x","ops":[]}' : this.#text);
    this.#text = '';
  }

  enter({ kind, to, input, callerGas }: CallStart): void {
    this.#budget.step();
    const pending = this.#open.at(-1)?.pending;
    if (pending !== undefined) pending.cost = pending.gas - callerGas;
    const code = kind === 'CREATE' || kind === 'CREATE2' ? input : this.#runningCode(to);
    this.#budget.take(2 * code.length);
    this.#open.push({ code: bytesToHex(code), ops: [], pending: undefined });
  }

  /** Returns the code that a call of an account runs: the code that it delegates to, if any (EIP-7702). */
  #runningCode(address: Address): Uint8Array {
    const code = this.#state.codeAt(address);
    const delegate = delegationOf(code);
    return delegate === undefined ? code : this.#state.codeAt(delegate);
  }

  leave({ failure, gasLeft }: CallEnd): void {
    const frame = this.#open.pop();
    if (frame === undefined) return;
    const { pending } = frame;
    if (pending !== undefined) {
      const isStopped = failure !== undefined && failure.reason !== 'revert';
      this.#write(
        frame,
        pending,
        isStopped ? 'null' : `{"used":${gasLeft},"push":[],"mem":null,"store":null}`,
        gasLeft,
      );
    }
    const text = `{"code":"0x${frame.code}","ops":[${frame.ops.join(',')}]}`;
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#text = text;
    else if (parent.pending !== undefined && frame.ops.length > 0) parent.pending.sub = text;
  }

  step(frame: RunningFrame): void {
    this.#budget.step();
    const open = this.#open.at(-1);
    if (open === undefined) return;
    if (open.pending !== undefined) this.#conclude(open, open.pending, frame);
    const { programCounter: pc, opcode, gas } = frame;
    const isStore = opcode === SSTORE && frame.stackHeight >= 2;
    open.pending = {
      pc,
      opcode,
      gas,
      cost: undefined,
      sub: undefined,
      writtenRange: writtenRangeOf(frame),
      store: isStore ? `{"key":"${item(frame, 0)}","val":"${item(frame, 1)}"}` : undefined,
    };
  }

  /** Writes an instruction before the next one of its frame runs. */
  #conclude(open: OpenFrame, pending: PendingStep, frame: RunningFrame): void {
    const count = resultsOf(pending.opcode);
    const push: string[] = [];
    for (let fromTop = count - 1; fromTop >= 0; fromTop -= 1) push.push(`"${item(frame, fromTop)}"`);
    const mem = this.#memory(pending.writtenRange, frame);
    const ex = `{"used":${frame.gas},"push":[${push.join(',')}],"mem":${mem},"store":${pending.store ?? 'null'}}`;
    this.#write(open, pending, ex, frame.gas);
  }

  #memory(range: PendingStep['writtenRange'], frame: RunningFrame): string {
    if (range === undefined || range[1] === 0) return 'null';
    const [offset, length] = range;
    this.#budget.requireSpace(2 * length);
    const bytes = frame.memoryBytes().subarray(offset, offset + length);
    return `{"off":${offset},"data":"0x${bytesToHex(bytes)}"}`;
  }

  #write(open: OpenFrame, { pc, opcode, gas, cost, sub }: PendingStep, ex: string, gasLeft: bigint): void {
    const name = opcodeName(opcode);
    const op = name === undefined ? '' : `,"op":"${name}"`;
    const text = `{"cost":${cost ?? gas - gasLeft},"ex":${ex},"pc":${pc},"sub":${sub ?? 'null'}${op}}`;
    this.#budget.take(text.length - (sub?.length ?? 0));
    open.ops.push(text);
    open.pending = undefined;
  }
}

/** Returns the number of stack items that an opcode writes. */
function resultsOf(opcode: number): number {
  if (opcode >= 0x80 && opcode <= 0x8f) return opcode - 0x80 + 2;
  if (opcode >= 0x90 && opcode <= 0x9f) return opcode - 0x90 + 2;
  return WITHOUT_RESULT.has(opcode) ? 0 : 1;
}

function writtenRangeOf(frame: RunningFrame): PendingStep['writtenRange'] {
  const positions = WRITTEN_RANGES.get(frame.opcode);
  if (positions === undefined) return undefined;
  const { offset, length, fixed } = positions;
  const start = frame.stackItem(offset);
  const count = fixed ?? frame.stackItem(length);
  // Memory beyond costs more than any gas limit: the instruction runs out of gas.
  if (start === undefined || count === undefined || start > ADDRESSABLE_BYTES || count > ADDRESSABLE_BYTES)
    return undefined;
  return [Number(start), Number(count)];
}

const ADDRESSABLE_BYTES = BigInt(0xffff_ffff);

function item(frame: RunningFrame, fromTop: number): string {
  return `0x${(frame.stackItem(fromTop) ?? 0n).toString(16)}`;
}
