import { ACCEPT_BURST_MS, ACCEPT_TIME_SHARE, TURN_PARSE_MS, TURN_REQUESTS_MAX } from '../limits.ts';
import { LoopShare } from '../scheduling/index.ts';

/** Milliseconds that a request counts at least. */
const REQUEST_MS = TURN_PARSE_MS / TURN_REQUESTS_MAX;

/**
 * Shares the time that goes into parsing requests. A turn of the event loop has some milliseconds for it, and room for
 * some requests, which are answered behind it.
 *
 * While new connections come, all of it waits, for a bounded share of the time: the event loop accepts one connection
 * per turn, so that long turns let the accept queue of the system fill.
 */
export class ParseTurns extends LoopShare {
  readonly #now: () => number;
  readonly #before: (() => void)[] = [];
  /** True if a connection was accepted in this turn. */
  #hasAccepted = false;
  /** True if parsing waits for the next turn. */
  #isDeferred = false;
  /** True if the last turn left it waiting, and when that turn ended; undefined where nothing was left to do. */
  #wasDeferred = false;
  #endedAt: number | undefined;
  /** Milliseconds of turns without parsing, less what turns with parsing allow. */
  #deferredMs = 0;

  /** @param now the time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    super(TURN_PARSE_MS);
    this.#now = now;
  }

  override get hasRoom(): boolean {
    return !this.#isDeferred && super.hasRoom;
  }

  /** Has something done before those that wait go on, which would make it late. */
  beforeTurns(work: () => void): void {
    this.#before.push(work);
  }

  /**
   * Parses now where this turn has room for more; tells whether it did.
   *
   * @param work gives how many requests it has found
   */
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
