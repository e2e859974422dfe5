import { LONG_TASK_MS, PAUSE_SHARE, SENDS_FIRST_MS, WRITE_SLICE_MS, WRITE_SLICE_MS_MAX } from '../limits.ts';
import { systemTime, type Time, yieldToEventLoop } from '../time.ts';
import { CallCosts, FairQueue, kindOf, type TaskOrigin, type Ticket } from './fair-queue.ts';

/**
 * Keeps long pieces of work apart that do not depend on each other, such as calls and blocks: after one of them
 * everything else has its share of the time before the next. So a quick request waits for one piece at most, not for
 * one of each, also on a connection that is not accepted yet.
 */
export class CpuBackoff {
  readonly #time: Pick<Time, 'now' | 'soon' | 'after'>;
  #isResting = false;

  constructor(time: Pick<Time, 'now' | 'soon' | 'after'>) {
    this.#time = time;
  }

  /** Returns true if a long piece of work has just ended, so that another one has to wait. */
  isResting(): boolean {
    return this.#isResting;
  }

  /** Notes work that has held the thread for so many milliseconds. */
  note(milliseconds: number): void {
    if (milliseconds < LONG_TASK_MS || this.#isResting) return;
    this.#isResting = true;
    const end = (): void => {
      this.#isResting = false;
    };
    // The first is in the same round where the work was done for something that had arrived.
    const rest = (): void => void this.#time.after(milliseconds * PAUSE_SHARE, end);
    this.#time.soon(() => this.#time.soon(rest));
  }

  /**
   * Runs work of the node itself in slices, between which everything else runs; at once if one slice is enough. A slice
   * that had to wait for a slow call is longer for that, so that the work keeps its share.
   *
   * @param work runs until a moment of the clock; returns undefined while there is more
   */
  runSliced<T>(work: (until: number) => T | undefined): T | Promise<T> {
    const began = this.#time.now();
    const result = this.#isResting ? undefined : this.#slice(work, WRITE_SLICE_MS);
    return result ?? this.#continue(work, began);
  }

  async #continue<T>(work: (until: number) => T | undefined, firstBegan: number): Promise<T> {
    let began = firstBegan;
    for (;;) {
      const ended = this.#time.now();
      const pauseEnd = ended + (ended - began) * PAUSE_SHARE;
      do await yieldToEventLoop(this.#time);
      while (this.#time.now() < pauseEnd || this.#isResting);
      began = this.#time.now();
      const sliceMs = Math.min(Math.max(began - ended, WRITE_SLICE_MS), WRITE_SLICE_MS_MAX);
      const result = this.#slice(work, sliceMs);
      if (result !== undefined) return result;
    }
  }

  #slice<T>(work: (until: number) => T | undefined, milliseconds: number): T | undefined {
    const began = this.#time.now();
    try {
      return work(began + milliseconds);
    } finally {
      this.note(this.#time.now() - began);
    }
  }
}

/** Returned by a step if the task has more of them. */
export const MORE: unique symbol = Symbol('more');

/** Runs the next part of a task; returns its result, or `MORE`. */
export type Step<T> = () => T | typeof MORE;

/** Work that one thread does for a client, in steps. */
export interface Task extends TaskOrigin {
  /** True if it changes the chain: it is ordered before tasks that only read. */
  readonly isSend?: boolean | undefined;
  /** Releases what the task does not need while others run. Ends the task if it throws. */
  onYield?(this: void): void;
  /** Receives the milliseconds of each slice. */
  onSlice?: ((this: void, milliseconds: number) => void) | undefined;
}

/** A task that waits for its next slice. */
interface QueuedTask {
  run(ticket: Ticket<QueuedTask>): void;
  abort(): void;
}

/** Tasks that are scheduled together: in rounds, with pauses between them. */
interface Lane {
  readonly queue: FairQueue<QueuedTask>;
  /** Milliseconds of tasks since the last pause, and the end of the last one. */
  roundMs: number;
  endedAt: number;
  isPausing: boolean;
}

/** Shorter pauses are a single turn of the event loop. */
const TIMED_PAUSE_MS = 2;

/**
 * Schedules tasks that may take long, since everything runs on one thread. A task runs at once while there are few.
 * After a round of some milliseconds the scheduler pauses, so that quick requests are answered, and then runs the task
 * of the client that has used least of its share. A long round has a long pause, up to its own length while clients
 * arrive: the server accepts a single connection in a turn of the event loop. A task with more steps than fit into a
 * round is queued again.
 *
 * Tasks that change the chain have a separate lane: it does not wait for the pauses of the other, and goes first,
 * unless it has done so for a while. So a send waits for the one call that runs, and for the sends before it.
 */
export class CooperativeScheduler {
  readonly #roundMsMax: number;
  readonly #costs: CallCosts;
  readonly #time: Time;
  readonly #backoff: CpuBackoff;
  readonly #calls: Lane;
  readonly #sends: Lane;
  /** Milliseconds of sends since the last round of calls. */
  #sendsMs = 0;
  #isRunning = false;
  /** True if a client has arrived since the event loop last went round in a pause. */
  #hasArrived = false;
  #beforeRound: () => void = () => undefined;

  /**
   * @param roundMsMax milliseconds of tasks before a pause
   * @param costs what calls of a kind have taken
   * @param backoff shared with other work of this thread that may take long
   */
  constructor(
    roundMsMax: number,
    costs = new CallCosts(),
    time = systemTime,
    backoff = new CpuBackoff(time),
  ) {
    this.#time = time;
    this.#backoff = backoff;
    this.#roundMsMax = roundMsMax;
    this.#costs = costs;
    this.#calls = newLane(costs);
    this.#sends = newLane(costs);
  }

  /**
   * Runs a task at once, or later if others are scheduled first; within another task always at once.
   *
   * @param began when it was requested
   * @returns its result; undefined if its client is gone before its next slice
   * @throws LimitError if too many wait, and what its steps throw
   */
  run<T>(task: Task, step: Step<T>, began = this.#time.now()): T | Promise<Awaited<T> | undefined> {
    if (this.#isRunning) return this.#slice(task, step, this.#time.now());
    const lane = task.isSend === true ? this.#sends : this.#calls;
    const isFree = lane.queue.size === 0 && lane.roundMs < this.#roundMsMax && !this.#backoff.isResting();
    if (isFree) return this.#runSlice(lane, task, step, began);
    const result = new Promise<Awaited<T> | undefined>((resolve, reject) => {
      const run = (ticket: Ticket<QueuedTask>): void => {
        try {
          resolve(this.#runSlice(lane, task, step, this.#time.now(), ticket) as Awaited<T>); // a promise is resolved
        } catch (error) {
          reject(error);
        }
      };
      lane.queue.push(task, { run, abort: () => resolve(undefined) });
    });
    if (!lane.isPausing) this.#pause(lane);
    return result;
  }

  /** Notes a client that has connected, or requested something: there may be more of them. */
  noticeArrival(): void {
    this.#hasArrived = true;
  }

  /** Sets what is done before each round that tasks had to wait for: ready responses go out before it. */
  beforeRounds(act: () => void): void {
    this.#beforeRound = act;
  }

  /** Runs a slice as the only task. @param ticket absent if it did not have to wait */
  #runSlice<T>(
    lane: Lane,
    task: Task,
    step: Step<T>,
    began: number,
    ticket?: Ticket<QueuedTask>,
  ): T | Promise<Awaited<T> | undefined> {
    if (ticket !== undefined) lane.queue.begin(ticket);
    this.#isRunning = true;
    try {
      return this.#slice(task, step, began);
    } finally {
      this.#isRunning = false;
      lane.endedAt = this.#time.now();
      const milliseconds = lane.endedAt - began;
      lane.roundMs += milliseconds;
      if (lane === this.#sends) this.#sendsMs += milliseconds;
      this.#backoff.note(milliseconds);
      if (ticket !== undefined) lane.queue.end(ticket, milliseconds);
      else this.#note(lane, task, milliseconds);
    }
  }

  /** Notes what a task has taken that did not have to wait. */
  #note({ queue }: Lane, { caller, call }: Task, milliseconds: number): void {
    queue.note(caller, milliseconds);
    if (call !== undefined && milliseconds > this.#roundMsMax) this.#costs.note(kindOf(call), milliseconds);
  }

  /** Runs the steps of a task for the time of a round. The rest of them is queued when this slice has ended. */
  #slice<T>(task: Task, step: Step<T>, began: number): T | Promise<Awaited<T> | undefined> {
    try {
      let result = step();
      while (result === MORE && this.#time.now() - began < this.#roundMsMax) result = step();
      if (result !== MORE) return result;
      task.onYield?.();
    } finally {
      task.onSlice?.(this.#time.now() - began);
    }
    return Promise.resolve().then(() => {
      if (task.caller.isGone?.() === true) return undefined;
      return this.run({ ...task, isBegun: true }, step) as Awaited<T>; // a promise is resolved
    });
  }

  #runRound(lane: Lane): void {
    lane.isPausing = false;
    lane.roundMs = 0;
    if (lane === this.#calls) this.#sendsMs = 0;
    this.#beforeRound();
    let isFirst = true;
    do {
      const ticket = lane.queue.next();
      if (ticket === undefined) return;
      // The responses of this round go out before a call that takes long.
      if (!isFirst && ticket.expected > this.#roundMsMax) break;
      isFirst = false;
      ticket.item.run(ticket);
    } while (lane.roundMs < this.#roundMsMax);
    if (lane.queue.size > 0) this.#pause(lane);
  }

  /** Gives everything else its share before the next round. */
  #pause(lane: Lane): void {
    lane.isPausing = true;
    const milliseconds = lane.endedAt + lane.roundMs * PAUSE_SHARE - this.#time.now();
    if (milliseconds < TIMED_PAUSE_MS) this.#time.soon(() => this.#resume(lane));
    else this.#time.after(milliseconds, () => this.#resume(lane));
  }

  #resume(lane: Lane): void {
    const isNext = lane === this.#sends || !this.#areSendsNext();
    if (isNext && !this.#backoff.isResting() && (lane === this.#sends || this.#isPauseOver())) {
      this.#runRound(lane);
      return;
    }
    if (isNext) this.#letShortPass(lane);
    this.#time.soon(() => this.#resume(lane));
  }

  #areSendsNext(): boolean {
    return this.#sends.queue.size > 0 && this.#sendsMs < SENDS_FIRST_MS;
  }

  /**
   * Runs the next task if it is expected to be short: a client that calls rarely does not wait for the long pause after
   * the long call of another. The pause continues.
   */
  #letShortPass(lane: Lane): void {
    const ticket = lane.queue.next();
    if (ticket === undefined || ticket.expected > this.#roundMsMax) return;
    const { roundMs, endedAt } = lane;
    this.#beforeRound();
    ticket.item.run(ticket);
    if (lane.roundMs - roundMs > this.#roundMsMax) return;
    lane.roundMs = roundMs;
    lane.endedAt = endedAt;
  }

  /** Returns true if the pause of the calls is over. */
  #isPauseOver(): boolean {
    const { endedAt, roundMs } = this.#calls;
    const isOver = !this.#hasArrived || this.#time.now() - endedAt >= roundMs;
    this.#hasArrived = false;
    return isOver;
  }
}

function newLane(costs: CallCosts): Lane {
  const queue = new FairQueue<QueuedTask>(costs, ({ abort }) => abort());
  return { queue, roundMs: 0, endedAt: 0, isPausing: false };
}
