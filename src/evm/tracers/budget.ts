import { LedgerdError } from '../../protocol/index.ts';

/** The error of a trace beyond the bounds of its size or time. */
export class TraceLimitError extends LedgerdError {
  override readonly code = 'TRACE_LIMIT';
  readonly limit: 'bytes' | 'time';

  constructor(limit: 'bytes' | 'time', message: string) {
    super(message);
    this.limit = limit;
  }
}

/** Receiver of JSON text of ASCII characters. */
export interface TextSink {
  add(text: string): void;
}

/** Steps between two looks at the clock, which takes longer than a step. */
const STEPS_BETWEEN_LOOKS = 1_024;

/** Bounds of a response that is written while it is made. */
interface WrittenAnswer {
  /** Bytes that may be gathered before they are written; absent: as many as may be written. */
  readonly gatheredMax?: number;
  /** Milliseconds that the work has waited so far for its reader; absent: none ever. */
  pausedMs?(): number;
}

/** Bounds the bytes of the traces of one request, and the time that they take. */
export class TraceBudget {
  readonly #bytesMax: number;
  readonly #gatheredMax: number;
  readonly #milliseconds: number;
  readonly #deadline: number;
  readonly #pausedMs: () => number;
  #written = 0;
  #gathered = 0;
  #steps = 0;

  /** Begins a budget of so many bytes, and of so many milliseconds from now without pauses. */
  constructor(
    bytesMax: number,
    milliseconds: number,
    { gatheredMax = bytesMax, pausedMs = () => 0 }: WrittenAnswer = {},
  ) {
    this.#bytesMax = bytesMax;
    this.#gatheredMax = gatheredMax;
    this.#milliseconds = milliseconds;
    this.#deadline = performance.now() + milliseconds;
    this.#pausedMs = pausedMs;
  }

  /** End of the time, by `performance.now()`; later with each pause. */
  get deadline(): number {
    return this.#deadline + this.#pausedMs();
  }

  /** Counts bytes, about, that are gathered for the response. Throws TraceLimitError. */
  take(bytes: number): void {
    this.#gathered += bytes;
    this.requireRoom(0);
  }

  /** Counts bytes of the response that are written. Throws TraceLimitError. */
  write(bytes: number): void {
    this.#written += bytes;
    this.requireRoom(0);
  }

  /** Counts everything gathered so far as written. */
  settle(): void {
    this.#written += this.#gathered;
    this.#gathered = 0;
  }

  /** Checks the room for so many more bytes, before they are made. Throws TraceLimitError. */
  requireRoom(bytes: number): void {
    if (this.#gathered + bytes > this.#gatheredMax) throw tooLarge(this.#gatheredMax);
    if (this.#written + this.#gathered + bytes > this.#bytesMax) throw tooLarge(this.#bytesMax);
  }

  /** Counts a step, and checks the time now and then. Throws TraceLimitError. */
  step(): void {
    this.#steps += 1;
    if (this.#steps % STEPS_BETWEEN_LOOKS === 0) this.checkTime();
  }

  /** @throws TraceLimitError when the time is over */
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
