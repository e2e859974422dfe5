import { type Address, invariant } from '../../protocol/index.ts';
import type {
  CallEnd,
  CallFailure,
  CallKind,
  CallStart,
  SelfDestruct,
  TraceListener,
} from '../engine/tracing.ts';
import type { Log } from '../types.ts';
import type { TraceBudget } from './budget.ts';

export interface FrameLog {
  readonly log: Log;
  /** Index of the log in the transaction. */
  readonly index: number;
  /** Number of calls of its frame before the log. */
  readonly position: number;
}

/** A call, a creation or a self-destruction, with its inner calls and logs. */
export interface CallFrame {
  readonly kind: CallKind | 'SELFDESTRUCT';
  readonly from: Address;
  /** The callee, the new contract, or the beneficiary of the balance. */
  readonly to: Address;
  /** In wei. */
  readonly value: bigint;
  readonly gas: bigint;
  readonly gasUsed: bigint;
  readonly input: Uint8Array;
  /** Return data, the code of a new contract, or revert data. */
  readonly output: Uint8Array;
  /** Undefined after success. */
  readonly failure: CallFailure | undefined;
  /** Offsets of the last instructions before a failure, if `withPaths` is set. */
  readonly path: readonly number[];
  readonly calls: readonly CallFrame[];
  /** In order, including reverted ones. */
  readonly logs: readonly FrameLog[];
}

/** A frame under construction. */
type OpenFrame = { -readonly [K in keyof CallFrame]: CallFrame[K] } & {
  calls: CallFrame[];
  logs: FrameLog[];
};

/** Approximate bytes of a frame and of a log in a response, without their data, which takes two digits per byte. */
const FRAME_BYTES = 384;
const LOG_BYTES = 160;
const TOPIC_BYTES = 69;
/** Bytes of an offset of a path. */
const PATH_STEP_BYTES = 8;

const NO_BYTES = new Uint8Array(0);
const NO_PATH: readonly number[] = [];

/** The collected data; by default all calls without logs. */
interface CallFramesOptions {
  readonly onlyTop?: boolean;
  readonly withLogs?: boolean;
  /** True to collect the paths of failed calls. */
  readonly withPaths?: boolean;
}

/** Collects the calls of one transaction as a tree. */
export class CallFrames implements TraceListener {
  readonly #budget: TraceBudget;
  readonly #options: CallFramesOptions;
  readonly #open: OpenFrame[] = [];
  /** Running calls that are not collected. */
  #skipped = 0;
  #root: OpenFrame | undefined;

  constructor(budget: TraceBudget, options: CallFramesOptions = {}) {
    this.#budget = budget;
    this.#options = options;
  }

  get needsPaths(): boolean {
    return this.#options.withPaths === true;
  }

  /** True if no call has begun. */
  get isEmpty(): boolean {
    return this.#root === undefined;
  }

  /** The innermost running call, if it is collected. */
  get innermost(): CallFrame | undefined {
    return this.#skipped > 0 ? undefined : this.#open.at(-1);
  }

  /** The outermost call, once it has ended. */
  get root(): CallFrame {
    invariant(this.#root !== undefined && this.#open.length === 0, 'a transaction has one outermost call');
    return this.#root;
  }

  enter({ kind, from, to, value, gas, input }: CallStart): void {
    this.#budget.step();
    if (this.#isSkipped()) {
      this.#skipped += 1;
      return;
    }
    this.#budget.take(FRAME_BYTES + 2 * input.length);
    this.#add({ kind, from, to, value, gas, input: input.slice() });
  }

  leave({ failure, gasUsed, output, path }: CallEnd): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    this.#budget.take(2 * output.length);
    const frame = this.#open.pop();
    invariant(frame !== undefined, 'a call that ends has begun');
    frame.failure = failure;
    frame.gasUsed = gasUsed;
    frame.output = output.slice();
    if (!this.needsPaths || failure === undefined || path === undefined) return;
    frame.path = path();
    this.#budget.take(PATH_STEP_BYTES * frame.path.length);
  }

  selfDestruct({ from, to, balance }: SelfDestruct): void {
    if (this.#isSkipped()) return;
    this.#budget.take(FRAME_BYTES);
    this.#add({ kind: 'SELFDESTRUCT', from, to, value: balance, gas: 0n, input: NO_BYTES });
    this.#open.pop();
  }

  log(log: Log, index: number): void {
    const frame = this.#open.at(-1);
    if (this.#options.withLogs !== true || this.#skipped > 0 || frame === undefined) return;
    this.#budget.take(LOG_BYTES + TOPIC_BYTES * log.topics.length + 2 * log.data.length);
    frame.logs.push({ log, index, position: frame.calls.length });
  }

  /** True if a call that begins now is not collected. */
  #isSkipped(): boolean {
    return this.#skipped > 0 || (this.#options.onlyTop === true && this.#open.length > 0);
  }

  #add(begun: Pick<CallFrame, 'kind' | 'from' | 'to' | 'value' | 'gas' | 'input'>): void {
    const frame: OpenFrame = {
      ...begun,
      gasUsed: 0n,
      output: NO_BYTES,
      failure: undefined,
      path: NO_PATH,
      calls: [],
      logs: [],
    };
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = frame;
    else parent.calls.push(frame);
    this.#open.push(frame);
  }
}
