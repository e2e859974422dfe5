import { TURN_PAUSE_SHARE } from '../limits.ts';
import { type Caller, CallerUse, leastUsed } from './callers.ts';

/** Work that waits for its turn. */
interface Waiting {
  readonly caller: Caller;
  begin(): void;
  giveUp(): void;
}

/** Shorter pauses are a single turn of the event loop. */
const TIMED_PAUSE_MS = 2;

/**
 * Gives turns to work that may take long, since everything runs on one thread. As long as there is little of it,
 * it runs at once. When a round has taken its time, there is a pause in which whatever is quick is answered, and
 * then whoever has computed least of late is next: one who asks now and then does not wait for those who ask all
 * the time. A long round has a long pause, up to its own length while clients go on arriving: the server accepts a
 * single connection in a turn of the event loop.
 */
export class Turns {
  readonly #roundMsMax: number;
  readonly #use: CallerUse;
  #waiting: Waiting[] = [];
  /** Milliseconds that work has taken since the last pause, and when it last ended. */
  #roundMs = 0;
  #endedAt = 0;
  #isTaken = false;
  /** Whether anybody has come since the event loop last went round in a pause. */
  #hasArrived = false;

  /**
   * @param roundMsMax milliseconds of work before a pause
   * @param use what each caller has computed of late
   */
  constructor(roundMsMax: number, use = new CallerUse()) {
    this.#roundMsMax = roundMsMax;
    this.#use = use;
  }

  /**
   * Runs work at once, or later when others are to come first; within a turn always at once.
   *
   * @param began when this was asked for, by `performance.now()`
   * @returns what the work returns; undefined when its caller is gone before its turn comes
   */
  take<T>(caller: Caller, work: () => T, began = performance.now()): T | Promise<Awaited<T> | undefined> {
    if (this.#isTaken) return work();
    if (this.#waiting.length === 0 && this.#roundMs < this.#roundMsMax) return this.#run(caller, work, began);
    if (this.#waiting.length === 0) this.#pause();
    return new Promise<Awaited<T> | undefined>((resolve, reject) => {
      this.#waiting.push({
        caller,
        begin: () => {
          try {
            resolve(this.#run(caller, work, performance.now()) as Awaited<T>); // a promise is taken over
          } catch (error) {
            reject(error);
          }
        },
        giveUp: () => resolve(undefined),
      });
    });
  }

  /** Takes note of a client that has come, or asked for something: there may be more of them. */
  noticeArrival(): void {
    this.#hasArrived = true;
  }

  #run<T>(caller: Caller, work: () => T, began: number): T {
    this.#isTaken = true;
    try {
      return work();
    } finally {
      this.#isTaken = false;
      const ended = performance.now();
      this.#roundMs += ended - began;
      this.#endedAt = ended;
      this.#use.note(caller, ended - began, ended);
    }
  }

  #giveRound(): void {
    this.#dropGone();
    this.#roundMs = 0;
    do this.#takeNext()?.begin();
    while (this.#waiting.length > 0 && this.#roundMs < this.#roundMsMax);
    if (this.#waiting.length > 0) this.#pause();
  }

  /** Lets everything else have its share before the next round. */
  #pause(): void {
    const milliseconds = this.#endedAt + this.#roundMs * TURN_PAUSE_SHARE - performance.now();
    if (milliseconds < TIMED_PAUSE_MS) setImmediate(() => this.#resume());
    else setTimeout(() => this.#resume(), milliseconds);
  }

  #resume(): void {
    const isOver = !this.#hasArrived || performance.now() - this.#endedAt >= this.#roundMs;
    this.#hasArrived = false;
    if (isOver) this.#giveRound();
    else setImmediate(() => this.#resume());
  }

  #dropGone(): void {
    const gone = this.#waiting.filter(({ caller }) => caller.isGone?.() === true);
    if (gone.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => !gone.includes(waiting));
    for (const waiting of gone) waiting.giveUp();
  }

  /** The work of the caller that has computed least; of equal ones, the one that came first. */
  #takeNext(): Waiting | undefined {
    const next = leastUsed(this.#waiting, this.#use);
    return this.#waiting.splice(next, 1)[0];
  }
}
