import { sleep, type Time } from '../../../time.ts';

/** Wakes the readers that wait for messages of a log; a notification is a hint only. */
export class WakeUps {
  readonly #time: Time;
  readonly #waiting = new Set<AbortController>();
  #newest = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Sequence of the newest message that was notified. */
  get newest(): number {
    return this.#newest;
  }

  /** Notifies readers of a message. */
  tell(sequence: number): void {
    if (sequence > this.#newest) this.#newest = sequence;
    for (const waiting of this.#waiting) waiting.abort();
    this.#waiting.clear();
  }

  /** Waits until a message is notified, unless this one was; for so many milliseconds at most. */
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
