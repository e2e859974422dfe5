import { ACCEPT_BURST_MS, ACCEPT_TIME_SHARE, LOOP_PARSE_MS, LOOP_REQUESTS_MAX } from '../limits.ts';
import { LoopBudget } from '../scheduling/index.ts';

/** Minimal cost of a request, in milliseconds. */
const REQUEST_MS = LOOP_PARSE_MS / LOOP_REQUESTS_MAX;

/**
 * Bounds the parsing of requests in a turn of the event loop, by time and by number.
 *
 * While new connections arrive, parsing waits, for a bounded share of the time: the event loop accepts one connection
 * per turn, so that long turns let the accept queue of the system fill.
 */
export class ParseScheduler extends LoopBudget {
  readonly #now: () => number;
  readonly #before: (() => void)[] = [];
  /** True if a connection was accepted in this turn. */
  #hasAccepted = false;
  /** True if parsing waits for the next turn. */
  #isDeferred = false;
  /** True if parsing waited in the last turn, and the end of that turn; undefined if nothing was left to do. */
  #wasDeferred = false;
  #endedAt: number | undefined;
  /** Milliseconds of turns without parsing, less those that turns with parsing allow. */
  #deferredMs = 0;

  /** @param now returns milliseconds */
  constructor(now: () => number = () => performance.now()) {
    super(LOOP_PARSE_MS);
    this.#now = now;
  }

  override get hasRoom(): boolean {
    return !this.#isDeferred && super.hasRoom;
  }

  /** Adds work that is done before waiting tasks, which would delay it. */
  beforeTurns(work: () => void): void {
    this.#before.push(work);
  }

  /** Parses if this turn has room, and returns true then. @param work returns the number of parsed requests */
  parse(work: () => number): boolean {
    if (!this.hasRoom) return false;
    const began = this.#now();
    const requests = work();
    this.spend(Math.max(this.#now() - began, requests * REQUEST_MS));
    return true;
  }

  /** Notes an accepted connection: parsing waits, so that the next connection is accepted soon. */
  noteAccepted(): void {
    this.#hasAccepted = true;
    this.#isDeferred = this.#deferredMs < ACCEPT_BURST_MS;
    this.schedule();
  }

  /** Decides if parsing waits in this turn: only after a turn with a new connection, for a bounded time. */
  protected override beginTurn(): boolean {
    const mayDefer = this.#deferredMs < ACCEPT_BURST_MS;
    const now = this.#now();
    const turnMs = now - (this.#endedAt ?? now);
    const allowedMs = turnMs * (ACCEPT_TIME_SHARE / (1 - ACCEPT_TIME_SHARE));
    if (this.#wasDeferred) this.#deferredMs += turnMs;
    else this.#deferredMs = Math.max(-allowedMs, this.#deferredMs - allowedMs);
    this.#isDeferred = this.#hasAccepted && mayDefer;
    this.#wasDeferred = this.#isDeferred;
    this.#endedAt = this.isIdle ? undefined : now;
    if (this.isIdle) this.#deferredMs = 0;
    this.#hasAccepted = false;
    // The next turn ends this one, even if nothing waits.
    if (this.#isDeferred) this.schedule();
    if (this.#isDeferred || this.isIdle) return false;
    for (const work of this.#before) work();
    return true;
  }
}
