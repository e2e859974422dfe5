import { sleep, type Time } from '../../../time.ts';

/** Wakes whoever waits for messages of a log; what it says of them is a hint and no more. */
export class WakeUps {
  readonly #time: Time;
  readonly #waiting = new Set<AbortController>();
  #newest = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /** The newest message that was told of. */
  get newest(): number {
    return this.#newest;
  }

  /** Tells of a message that the log has. */
  tell(sequence: number): void {
    if (sequence > this.#newest) this.#newest = sequence;
    for (const waiting of this.#waiting) waiting.abort();
    this.#waiting.clear();
  }

  /** Waits until somebody tells of a message, if nobody told of this one yet; for so many milliseconds at most. */
  async wait(sequence: number, milliseconds: number, stop: AbortSignal): Promise<void> {
    if (this.#newest >= sequence) return;
    const waiting = new AbortController();
    const end = (): void => waiting.abort();
    this.#waiting.add(waiting);
    stop.addEventListener('abort', end);
    if (!stop.aborted) await sleep(this.#time, milliseconds, waiting.signal);
    stop.removeEventListener('abort', end);
    this.#waiting.delete(waiting);
  }
}
