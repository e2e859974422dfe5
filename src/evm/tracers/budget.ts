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

/** How many bytes the traces of one request may still come to, and how long it may go on. */
export class TraceBudget {
  readonly #bytesMax: number;
  readonly #milliseconds: number;
  readonly #deadline: number;
  #bytes = 0;
  #steps = 0;

  /** @param milliseconds from now */
  constructor(bytesMax: number, milliseconds: number) {
    this.#bytesMax = bytesMax;
    this.#milliseconds = milliseconds;
    this.#deadline = performance.now() + milliseconds;
  }

  /** When the time is over, by `performance.now()`. */
  get deadline(): number {
    return this.#deadline;
  }

  /** Counts bytes that the answer grows by, about. Throws TraceLimitError. */
  take(bytes: number): void {
    this.#bytes += bytes;
    this.requireRoom(0);
  }

  /** Whether there is room for so many more bytes, before they are made. Throws TraceLimitError. */
  requireRoom(bytes: number): void {
    if (this.#bytes + bytes <= this.#bytesMax) return;
    throw new TraceLimitError(
      'bytes',
      `the trace exceeds the limit of ${this.#bytesMax} bytes (--trace-bytes): ask for less of it`,
    );
  }

  /** Looks at the clock, but not each time. Throws TraceLimitError. */
  step(): void {
    this.#steps += 1;
    if (this.#steps % STEPS_BETWEEN_LOOKS === 0) this.checkTime();
  }

  /** @throws TraceLimitError when the time is over */
  checkTime(): void {
    if (performance.now() <= this.#deadline) return;
    throw new TraceLimitError('time', `execution timeout (${this.#milliseconds / 1_000}s, --trace-timeout)`);
  }
}
