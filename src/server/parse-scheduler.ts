import { LoopBudget } from '../scheduling/index.ts';

/** Milliseconds for which a burst of connections delays parsing, and its share of the time from then on. */
export const ACCEPT_BURST_MS = 10;
export const ACCEPT_TIME_SHARE = 3 / 4;
/** Milliseconds, and requests, of parsing per iteration of the event loop; the last read may exceed either. */
export const LOOP_PARSE_MS = 2;
export const LOOP_REQUESTS_MAX = 16;

/** Minimal cost of a request, in milliseconds. */
const REQUEST_MS = LOOP_PARSE_MS / LOOP_REQUESTS_MAX;

/**
 * Bounds the parsing of requests in an iteration of the event loop, by time and by number.
 *
 * While new connections arrive, parsing is deferred, for a bounded share of the time: the event loop accepts one
 * connection per iteration, so that long iterations would fill the accept queue of the system.
 */
export class ParseScheduler extends LoopBudget {
  readonly #now: () => number;
  readonly #before: (() => void)[] = [];
  /** True if a connection was accepted in this iteration. */
  #hasAccepted = false;
  /** True if parsing is deferred to the next iteration. */
  #isDeferred = false;
  /** True if parsing was deferred in the last iteration, and its end; undefined if no task was queued. */
  #wasDeferred = false;
  #endedAt: number | undefined;
  /** Milliseconds of iterations without parsing, less those that iterations with parsing allow. */
  #deferredMs = 0;

  /** @param now returns milliseconds */
  constructor(now: () => number = () => performance.now()) {
    super(LOOP_PARSE_MS);
    this.#now = now;
  }

  override get hasRemaining(): boolean {
    return !this.#isDeferred && super.hasRemaining;
  }

  /** Adds a callback that runs before the queued tasks of each iteration. */
  beforeTasks(callback: () => void): void {
    this.#before.push(callback);
  }

  /** Parses and returns true if the budget of this iteration allows it. @param job returns the number of requests */
  parse(job: () => number): boolean {
    if (!this.hasRemaining) return false;
    const began = this.#now();
    const requests = job();
    this.spend(Math.max(this.#now() - began, requests * REQUEST_MS));
    return true;
  }

  /** Notes an accepted connection: parsing is deferred, so that the next connection is accepted soon. */
  noteAccepted(): void {
    this.#hasAccepted = true;
    this.#isDeferred = this.#deferredMs < ACCEPT_BURST_MS;
    this.schedule();
  }

  /** Decides if parsing is deferred: only after an iteration with a new connection, for a bounded time. */
  protected override beginIteration(): boolean {
    const mayDefer = this.#deferredMs < ACCEPT_BURST_MS;
    const now = this.#now();
    const iterationMs = now - (this.#endedAt ?? now);
    const allowedMs = iterationMs * (ACCEPT_TIME_SHARE / (1 - ACCEPT_TIME_SHARE));
    if (this.#wasDeferred) this.#deferredMs += iterationMs;
    else this.#deferredMs = Math.max(-allowedMs, this.#deferredMs - allowedMs);
    this.#isDeferred = this.#hasAccepted && mayDefer;
    this.#wasDeferred = this.#isDeferred;
    this.#endedAt = this.isIdle ? undefined : now;
    if (this.isIdle) this.#deferredMs = 0;
    this.#hasAccepted = false;
    // The next iteration measures this one, even if no task is queued.
    if (this.#isDeferred) this.schedule();
    if (this.#isDeferred || this.isIdle) return false;
    for (const callback of this.#before) callback();
    return true;
  }
}
