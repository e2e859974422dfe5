import { LedgerdError } from '../../protocol/index.ts';

/** A trace that would be larger, or take longer, than it may. */
export class TraceLimitError extends LedgerdError {
  override readonly code = 'TRACE_LIMIT';
  readonly limit: 'bytes' | 'time';

  constructor(limit: 'bytes' | 'time', message: string) {
    super(message);
    this.limit = limit;
  }
}

/** Steps between two looks at the clock, which takes longer than a step. */
const STEPS_BETWEEN_LOOKS = 1_024;

/** How an answer that is written while it is made is counted. */
export interface WrittenAnswer {
  /** Bytes that may be gathered before they are written; absent: as many as may be written. */
  readonly gatheredMax?: number;
  /** Milliseconds that the work has waited so far for whoever takes what is written; absent: none ever. */
  pausedMs?(): number;
}

/** How many bytes the traces of one request may still come to, and how long it may go on. */
export class TraceBudget {
  readonly #bytesMax: number;
  readonly #gatheredMax: number;
  readonly #milliseconds: number;
  readonly #deadline: number;
  readonly #pausedMs: () => number;
  #written = 0;
  #gathered = 0;
  #steps = 0;

  /**
   * @param bytesMax bytes in all
   * @param milliseconds from now, without those of waiting
   */
  constructor(
    bytesMax: number,
    milliseconds: number,
    { gatheredMax = bytesMax, pausedMs = NEVER_PAUSED }: WrittenAnswer = {},
  ) {
    this.#bytesMax = bytesMax;
    this.#gatheredMax = gatheredMax;
    this.#milliseconds = milliseconds;
    this.#deadline = performance.now() + milliseconds;
    this.#pausedMs = pausedMs;
  }

  /** When the time is over, by `performance.now()`; later with each pause. */
  get deadline(): number {
    return this.#deadline + this.#pausedMs();
  }

  /** Counts bytes, about, that are gathered for the answer. Throws TraceLimitError. */
  take(bytes: number): void {
    this.#gathered += bytes;
    this.requireRoom(0);
  }

  /** Counts bytes of the answer that are written. Throws TraceLimitError. */
  write(bytes: number): void {
    this.#written += bytes;
    this.requireRoom(0);
  }

  /** What is gathered so far is written, and nothing of it is kept. */
  settle(): void {
    this.#written += this.#gathered;
    this.#gathered = 0;
  }

  /** Whether there is room for so many more bytes, before they are made. Throws TraceLimitError. */
  requireRoom(bytes: number): void {
    if (this.#gathered + bytes > this.#gatheredMax) throw tooLarge(this.#gatheredMax);
    if (this.#written + this.#gathered + bytes > this.#bytesMax) throw tooLarge(this.#bytesMax);
  }

  /** Looks at the clock, but not each time. Throws TraceLimitError. */
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

const NEVER_PAUSED = (): number => 0;

function tooLarge(bytesMax: number): TraceLimitError {
  return new TraceLimitError(
    'bytes',
    `the trace exceeds the limit of ${bytesMax} bytes (--trace-bytes): ask for less of it`,
  );
}
