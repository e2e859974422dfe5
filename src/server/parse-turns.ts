import { ACCEPT_BURST_MS, ACCEPT_TIME_SHARE, TURN_PARSE_MS, TURN_REQUESTS_MAX } from '../limits.ts';

/** What waits until it may parse what has come by a connection. */
export interface Parsing {
  /** Whose connection it is. */
  readonly client: string;
  /** Parses a little of it, and waits again where there is more. */
  goOn(): void;
}

/**
 * Shares the time that goes into parsing requests: what has come by many connections would hold up whoever asks for
 * little if it was parsed at once. A turn of the event loop has some milliseconds for it, and room for some requests,
 * which are answered behind it. What is left over waits for the next turns, in which clients take turns, and the
 * connections of each.
 *
 * While new connections come, all of it waits, for a bounded share of the time: the event loop accepts one connection
 * per turn, so that long turns let the accept queue of the system fill.
 */
export class ParseTurns {
  readonly #now: () => number;
  readonly #before: (() => void)[] = [];
  /** Those that wait, by client; the client whose turn it is comes first. */
  readonly #clients = new Map<string, Set<Parsing>>();
  /** What this turn of the event loop has taken so far, and the requests that it has brought. */
  #spentMs = 0;
  #requests = 0;
  #isScheduled = false;
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
    this.#now = now;
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
    if (!this.#hasRoom()) return false;
    this.#schedule();
    const began = this.#now();
    this.#requests += work();
    this.#spentMs += this.#now() - began;
    return true;
  }

  /** Notes an accepted connection: parsing waits, so that the next connection is accepted soon. */
  noteAccepted(): void {
    this.#hasAccepted = true;
    this.#isDeferred = this.#deferredMs < ACCEPT_BURST_MS;
    this.#schedule();
  }

  /** Has something go on in a later turn; who waits already keeps its place. */
  wait(parsing: Parsing): void {
    const waiting = this.#clients.get(parsing.client) ?? new Set();
    this.#clients.set(parsing.client, waiting.add(parsing));
    this.#schedule();
  }

  /** Something waits no longer. */
  giveUp(parsing: Parsing): void {
    const waiting = this.#clients.get(parsing.client);
    if (waiting?.delete(parsing) && waiting.size === 0) this.#clients.delete(parsing.client);
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#spentMs = 0;
    this.#requests = 0;
    this.#endTurn();
    if (this.#isDeferred) {
      this.#schedule();
      return;
    }
    if (this.#clients.size === 0) return;
    for (const work of this.#before) work();
    while (this.#hasRoom() && this.#clients.size > 0) this.#goOnWithNext();
    this.#schedule();
  };

  /** Decides if parsing waits in the next turn: only after a turn with a new connection, for a bounded time. */
  #endTurn(): void {
    const mayDefer = this.#deferredMs < ACCEPT_BURST_MS;
    const now = this.#now();
    const turnMs = now - (this.#endedAt ?? now);
    const allowedMs = turnMs * (ACCEPT_TIME_SHARE / (1 - ACCEPT_TIME_SHARE));
    if (this.#wasDeferred) this.#deferredMs += turnMs;
    else this.#deferredMs = Math.max(-allowedMs, this.#deferredMs - allowedMs);
    this.#isDeferred = this.#hasAccepted && mayDefer;
    this.#wasDeferred = this.#isDeferred;
    this.#endedAt = this.#clients.size === 0 ? undefined : now;
    if (this.#clients.size === 0) this.#deferredMs = 0;
    this.#hasAccepted = false;
  }

  #hasRoom(): boolean {
    if (this.#isDeferred) return false;
    return this.#spentMs < TURN_PARSE_MS && this.#requests < TURN_REQUESTS_MAX;
  }

  #goOnWithNext(): void {
    for (const [client, waiting] of this.#clients) {
      const [next] = waiting;
      this.#clients.delete(client);
      if (next === undefined) return;
      waiting.delete(next);
      if (waiting.size > 0) this.#clients.set(client, waiting);
      next.goOn();
      return;
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#nextTurn);
  }
}
