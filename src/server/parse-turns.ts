import { TURN_PARSE_MS, TURN_REQUESTS_MAX } from '../limits.ts';

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
    if (this.#clients.size === 0) return;
    for (const work of this.#before) work();
    while (this.#hasRoom() && this.#clients.size > 0) this.#goOnWithNext();
    this.#schedule();
  };

  #hasRoom(): boolean {
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
