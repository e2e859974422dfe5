import { LedgerdError } from '../../protocol/index.ts';

/** The error of a trace that exceeds its maximum size or time. */
export class TraceLimitError extends LedgerdError {
  override readonly code = 'TRACE_LIMIT';
  readonly limit: 'bytes' | 'time';

  constructor(limit: 'bytes' | 'time', message: string) {
    super(message);
    this.limit = limit;
  }
}

/** A receiver of JSON text in ASCII. */
export interface TextSink {
  add(text: string): void;
}

/** Steps between two reads of the clock, since a read takes longer than a step. */
const STEPS_PER_TIME_CHECK = 1_024;

/** Options of a response that is streamed. */
interface StreamingOptions {
  /** Maximum bytes that are buffered before they are written; absent: the maximum of the response. */
  readonly bufferedMax?: number;
  /** Returns the milliseconds that the task has waited for its reader so far; absent: 0. */
  pausedMs?(): number;
}

/** Limits the bytes and the time of the traces of one request. */
export class TraceBudget {
  readonly #bytesMax: number;
  readonly #bufferedMax: number;
  readonly #milliseconds: number;
  readonly #deadline: number;
  readonly #pausedMs: () => number;
  #written = 0;
  #buffered = 0;
  #steps = 0;

  /** Starts a budget of bytes and of milliseconds from now, pauses excluded. */
  constructor(
    bytesMax: number,
    milliseconds: number,
    { bufferedMax = bytesMax, pausedMs = () => 0 }: StreamingOptions = {},
  ) {
    this.#bytesMax = bytesMax;
    this.#bufferedMax = bufferedMax;
    this.#milliseconds = milliseconds;
    this.#deadline = performance.now() + milliseconds;
    this.#pausedMs = pausedMs;
  }

  /** Deadline by `performance.now()`; pauses extend it. */
  get deadline(): number {
    return this.#deadline + this.#pausedMs();
  }

  /** Counts approximate bytes that are buffered for the response. Throws TraceLimitError. */
  take(bytes: number): void {
    this.#buffered += bytes;
    this.requireSpace(0);
  }

  /** Counts bytes of the response that are written. Throws TraceLimitError. */
  write(bytes: number): void {
    this.#written += bytes;
    this.requireSpace(0);
  }

  /** Counts all buffered bytes as written. */
  settle(): void {
    this.#written += this.#buffered;
    this.#buffered = 0;
  }

  /** Checks that further bytes fit, before they are produced. Throws TraceLimitError. */
  requireSpace(bytes: number): void {
    if (this.#buffered + bytes > this.#bufferedMax) throw tooLarge(this.#bufferedMax);
    if (this.#written + this.#buffered + bytes > this.#bytesMax) throw tooLarge(this.#bytesMax);
  }

  /** Counts a step and regularly checks the time. Throws TraceLimitError. */
  step(): void {
    this.#steps += 1;
    if (this.#steps % STEPS_PER_TIME_CHECK === 0) this.checkTime();
  }

  /** Checks the time. @throws TraceLimitError after the deadline */
  checkTime(): void {
    if (performance.now() <= this.deadline) return;
    throw new TraceLimitError('time', `execution timeout (${this.#milliseconds / 1_000}s, --trace-timeout)`);
  }
}

function tooLarge(bytesMax: number): TraceLimitError {
  return new TraceLimitError(
    'bytes',
    `the trace exceeds the limit of ${bytesMax} bytes (--trace-bytes): ask for less of it`,
  );
}
