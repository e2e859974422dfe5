import { type Address, bytesToHex } from '../../protocol/index.ts';
import type { RunningFrame } from '../engine/running-frame.ts';
import type { CallEnd, CallStart, SelfDestruct, TraceListener } from '../engine/tracing.ts';
import type { Log } from '../types.ts';
import type { TraceBudget } from './budget.ts';
import { type CallFrame, CallFrames } from './call-frames.ts';
import type { ReadableState } from './prestate.ts';

const KECCAK256 = 0x20;
const EXTCODESIZE = 0x3b;
const EXTCODECOPY = 0x3c;
const EXTCODEHASH = 0x3f;
const ISZERO = 0x15;
const GAS = 0x5a;
const RETURN = 0xf3;
const REVERT = 0xfd;
const SLOAD = 0x54;
const SSTORE = 0x55;
const TLOAD = 0x5c;
const TSTORE = 0x5d;
const CODE_ACCESSES: ReadonlySet<number> = new Set([EXTCODESIZE, EXTCODECOPY, EXTCODEHASH]);
/** CALL, CALLCODE, DELEGATECALL and STATICCALL. */
const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);

const PUSH0 = 0x5f;
const SWAP16 = 0x9f;
/** POP, ADD, SUB, MUL, DIV, EQ, LT, GT, SLT, SGT, SHL, SHR, AND, OR and NOT. */
const COMMON_OPCODES = [
  0x50, 0x01, 0x03, 0x02, 0x04, 0x14, 0x10, 0x11, 0x12, 0x13, 0x1b, 0x1c, 0x16, 0x17, 0x19,
];
/** Opcodes that geth excludes by default: of the stack, of common arithmetic, and ISZERO. */
export const UNIMPORTANT_OPCODES: readonly number[] = [
  ...Array.from({ length: SWAP16 - PUSH0 + 1 }, (_, index) => PUSH0 + index),
  ...COMMON_OPCODES,
  ISZERO,
];

/** Bytes beyond the memory up to which geth completes a preimage with zeros. */
const PADDING_BYTES = 1_048_576;

/** Approximate bytes of the entries of a response. */
const FRAME_BYTES = 160;
const SLOT_BYTES = 140;
const CONTRACT_BYTES = 90;
const ADDRESS_BYTES = 46;
const OPCODE_BYTES = 16;

/** The accesses of the code of a frame that ERC-7562 restricts; slots and addresses in hex. */
export interface FrameUsage {
  /** Values of the slots that were read before they were written. */
  readonly reads: Map<string, Uint8Array>;
  readonly writes: Map<string, number>;
  readonly transientReads: Map<string, number>;
  readonly transientWrites: Map<string, number>;
  /** Accounts whose code was read, except for a check that it exists. */
  readonly readCodes: string[];
  /** Numbers of instructions by opcode; GAS only if no call follows. */
  readonly opcodes: Map<number, number>;
  /** Size of the code of accounts that were called or whose code was read, at the first access, and its opcode. */
  readonly codeSizes: Map<string, { readonly size: number; readonly opcode: number }>;
}

interface ValidationOptions {
  readonly withLogs: boolean;
  /** Opcodes that are not counted. */
  readonly ignored: readonly number[];
}

const emptyUsage = (): FrameUsage => ({
  reads: new Map(),
  writes: new Map(),
  transientReads: new Map(),
  transientWrites: new Map(),
  readCodes: [],
  opcodes: new Map(),
  codeSizes: new Map(),
});

/** Collects the calls of one transaction with what bundlers of ERC-4337 check of each (geth's erc7562Tracer). */
export class ValidationFrames implements TraceListener {
  readonly #state: Pick<ReadableState, 'codeAt' | 'storageAt'>;
  readonly #budget: TraceBudget;
  readonly #frames: CallFrames;
  readonly #isIgnored = new Uint8Array(256);
  readonly #usages = new Map<CallFrame, FrameUsage>();
  /** Inputs of KECCAK256 in hex, without repetitions. */
  readonly #preimages = new Set<string>();
  /** Usage of the innermost frame; undefined until its first instruction. */
  #current: FrameUsage | undefined;
  #lastOpcode: number | undefined;
  /** Account whose code the last instruction read. */
  #lastRead: Address | undefined;

  constructor(
    state: Pick<ReadableState, 'codeAt' | 'storageAt'>,
    budget: TraceBudget,
    { withLogs, ignored }: ValidationOptions,
  ) {
    this.#state = state;
    this.#budget = budget;
    this.#frames = new CallFrames(budget, { withLogs });
    for (const opcode of ignored) this.#isIgnored[opcode] = 1;
  }

  /** The outermost call, once it has ended. */
  get root(): CallFrame {
    return this.#frames.root;
  }

  /** Inputs of KECCAK256 in hex, in the order of their bytes. */
  get preimages(): readonly string[] {
    return [...this.#preimages].sort();
  }

  usageOf(frame: CallFrame): FrameUsage {
    return this.#usages.get(frame) ?? emptyUsage();
  }

  enter(call: CallStart): void {
    this.#budget.take(FRAME_BYTES);
    this.#frames.enter(call);
    this.#current = undefined;
  }

  leave(call: CallEnd): void {
    this.#frames.leave(call);
    this.#current = undefined;
  }

  selfDestruct(event: SelfDestruct): void {
    this.#budget.take(FRAME_BYTES);
    this.#frames.selfDestruct(event);
  }

  log(log: Log, index: number): void {
    this.#frames.log(log, index);
  }

  step(frame: RunningFrame): void {
    this.#budget.step();
    const { opcode } = frame;
    const usage = this.#usage();
    if (usage === undefined) return;
    // What a frame does last says nothing about what follows.
    const last = opcode === RETURN || opcode === REVERT ? undefined : this.#lastOpcode;
    if (last !== undefined && this.#lastRead !== undefined && !(last === EXTCODESIZE && opcode === ISZERO)) {
      this.#budget.take(ADDRESS_BYTES);
      usage.readCodes.push(bytesToHex(this.#lastRead));
    }
    const isCall = CALLS.has(opcode);
    const readsCode = CODE_ACCESSES.has(opcode);
    if (isCall || readsCode) this.#measureCode(usage, opcode, frame.stackAddress(isCall ? 1 : 0));
    if (last === GAS && !isCall) this.#count(usage.opcodes, GAS, OPCODE_BYTES);
    if (opcode !== GAS && this.#isIgnored[opcode] === 0) this.#count(usage.opcodes, opcode, OPCODE_BYTES);
    this.#accessSlot(usage, frame);
    if (opcode === KECCAK256) this.#keepPreimage(frame);
    this.#lastOpcode = opcode;
    this.#lastRead = readsCode ? frame.stackAddress(0) : undefined;
  }

  #usage(): FrameUsage | undefined {
    if (this.#current !== undefined) return this.#current;
    const { innermost } = this.#frames;
    if (innermost === undefined) return undefined;
    const usage = this.#usages.get(innermost) ?? emptyUsage();
    this.#usages.set(innermost, usage);
    this.#current = usage;
    return usage;
  }

  #measureCode({ codeSizes }: FrameUsage, opcode: number, address: Address | undefined): void {
    if (address === undefined) return;
    const key = bytesToHex(address);
    if (codeSizes.has(key)) return;
    this.#budget.take(CONTRACT_BYTES);
    codeSizes.set(key, { size: this.#state.codeAt(address).length, opcode });
  }

  #accessSlot(usage: FrameUsage, frame: RunningFrame): void {
    const { opcode } = frame;
    if (opcode !== SLOAD && opcode !== SSTORE && opcode !== TLOAD && opcode !== TSTORE) return;
    const slot = frame.stackHash(0);
    if (slot === undefined) return;
    const key = bytesToHex(slot);
    if (opcode === SSTORE) this.#count(usage.writes, key, SLOT_BYTES);
    if (opcode === TLOAD) this.#count(usage.transientReads, key, SLOT_BYTES);
    if (opcode === TSTORE) this.#count(usage.transientWrites, key, SLOT_BYTES);
    if (opcode !== SLOAD || usage.reads.has(key) || usage.writes.has(key)) return;
    this.#budget.take(SLOT_BYTES);
    usage.reads.set(key, this.#state.storageAt(frame.address, slot).slice());
  }

  #keepPreimage(frame: RunningFrame): void {
    const offset = frame.stackItem(0);
    const length = frame.stackItem(1);
    if (offset === undefined || length === undefined) return;
    if (offset + length > BigInt(frame.memorySize + PADDING_BYTES)) return;
    const start = Number(offset);
    const end = Number(offset + length);
    this.#budget.requireSpace(2 * (end - start));
    const text = bytesToHex(frame.memoryBytes().subarray(start, end)).padEnd(2 * (end - start), '0');
    if (this.#preimages.has(text)) return;
    this.#budget.take(text.length);
    this.#preimages.add(text);
  }

  #count<K>(counts: Map<K, number>, key: K, bytes: number): void {
    const count = counts.get(key);
    if (count === undefined) this.#budget.take(bytes);
    counts.set(key, (count ?? 0) + 1);
  }
}
