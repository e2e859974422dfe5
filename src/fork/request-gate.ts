import { sleep, type Time } from '../time/time.ts';

/** Bounds the requests to a remote node at one time, and the requests a second. */
export class RequestGate {
  readonly #time: Time;
  readonly #inFlightMax: number;
  /** Milliseconds between two requests. */
  readonly #intervalMs: number;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;
  /** Time before which no request starts. */
  #nextStart = 0;

  /** @param rate requests a second; undefined for any number */
  constructor(time: Time, inFlightMax: number, rate: number | undefined) {
    this.#time = time;
    this.#inFlightMax = inFlightMax;
    this.#intervalMs = rate === undefined ? 0 : 1_000 / rate;
  }

  /** Runs a request when the bounds allow it, in the order of the calls. An abort ends only a pause. */
  async run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#inFlight < this.#inFlightMax) this.#inFlight += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await this.#start(signal);
      return await request();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inFlight -= 1;
      else next();
    }
  }

  /** Lets no request start for so many milliseconds: the remote node limits their rate. */
  pause(milliseconds: number): void {
    this.#nextStart = Math.max(this.#nextStart, this.#time.now() + milliseconds);
  }

  async #start(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = this.#time.now();
      if (signal.aborted || this.#nextStart <= now) break;
      await sleep(this.#time, this.#nextStart - now, signal);
    }
    this.#nextStart = Math.max(this.#nextStart, this.#time.now() + this.#intervalMs);
  }
}
