import { type Job, runUntil, WRITE_SLICE_MS } from '../time/job.ts';
import { systemTime, type Time, yieldToEventLoop } from '../time/time.ts';
import { CallCosts, FairQueue, kindOf, type TaskOrigin, type Ticket } from './fair-queue.ts';

/** Milliseconds up to which sends run as long as their commit takes. */
const SENDS_ROUND_MS_MAX = 5;
/** Milliseconds from which a task is long: quick requests run before the next long one. */
export const LONG_TASK_MS = 50;
/** Pause after a slice of tasks, as a share of its duration. */
const PAUSE_SHARE = 0.1;
/** Milliseconds of block work in one time slice after a longer wait, so that slow calls do not delay blocks. */
const WRITE_SLICE_MS_MAX = 250;

/**
 * Separates long tasks of independent schedulers, such as calls and blocks: after one of them everything else gets its
 * share of the time before the next. So a quick request waits for one long task, not for one of each scheduler, even if
 * its connection is not accepted yet.
 */
export class CpuBackoff {
  readonly #time: Pick<Time, 'now' | 'soon' | 'after'>;
  #isResting = false;

  constructor(time: Pick<Time, 'now' | 'soon' | 'after'>) {
    this.#time = time;
  }

  /** Returns true during the pause after a long task, in which no other long task may start. */
  isResting(): boolean {
    return this.#isResting;
  }

  /** Notes a task that has used the thread for so many milliseconds. */
  note(milliseconds: number): void {
    if (milliseconds < LONG_TASK_MS || this.#isResting) return;
    this.#isResting = true;
    const end = (): void => {
      this.#isResting = false;
    };
    // The first callback may run in the same iteration of the event loop.
    const rest = (): void => void this.#time.after(milliseconds * PAUSE_SHARE, end);
    this.#time.soon(() => this.#time.soon(rest));
  }

  /**
   * Runs a job of the node itself in time slices, between which everything else runs; synchronously if one slice is
   * enough. A slice after a long wait is longer, so that the job keeps its share of the time.
   *
   * @param sliceMsMax bound of a longer slice: blocks must come, other jobs may wait
   */
  run<T>(job: Job<T>, sliceMsMax: number = WRITE_SLICE_MS_MAX): T | Promise<T> {
    const began = this.#time.now();
    const first = this.#isResting ? undefined : this.#slice(job, WRITE_SLICE_MS);
    return first?.done === true ? first.value : this.#continue(job, began, sliceMsMax);
  }

  async #continue<T>(job: Job<T>, firstBegan: number, sliceMsMax: number): Promise<T> {
    let began = firstBegan;
    for (;;) {
      const ended = this.#time.now();
      const pauseEnd = ended + (ended - began) * PAUSE_SHARE;
      do await yieldToEventLoop(this.#time);
      while (this.#time.now() < pauseEnd || this.#isResting);
      began = this.#time.now();
      const sliceMs = Math.min(Math.max(began - ended, WRITE_SLICE_MS), sliceMsMax);
      const { done, value } = this.#slice(job, sliceMs);
      if (done === true) return value;
    }
  }

  #slice<T>(job: Job<T>, milliseconds: number): IteratorResult<unknown, T> {
    const began = this.#time.now();
    try {
      return runUntil(job, began + milliseconds, this.#time);
    } finally {
      this.note(this.#time.now() - began);
    }
  }
}

/** The work of a task: a job, or a function that cannot pause. */
export type Work<T> = Job<T> | (() => T);

/** A task for a client. */
export interface Task extends TaskOrigin {
  /** True if the task changes the chain: it is scheduled before tasks that only read. */
  readonly isSend?: boolean | undefined;
  /** Called when the task is queued behind another one: a thread may begin what it needs. Must not throw. */
  onQueued?(this: void): void;
  /** Releases resources while other tasks run. Ends the task if it throws. */
  onYield?(this: void): void;
  /** Receives the milliseconds of each slice. */
  onSlice?: ((this: void, milliseconds: number) => void) | undefined;
}

/** Settles the promise of a task: with its outcome, or with a failure after it. */
type Settle = (failure?: { readonly error: unknown }) => void;

/** A task that is queued for its next slice. */
interface QueuedTask {
  run(ticket: Ticket<QueuedTask>): Settle;
  abort(): void;
}

/** Tasks that share a queue and run in rounds, with pauses between them. */
interface Lane {
  readonly queue: FairQueue<QueuedTask>;
  /** Milliseconds of tasks since the last pause, and the end of the last task. */
  roundMs: number;
  endedAt: number;
  /** A long task that the last round ended before. */
  awaited: Ticket<QueuedTask> | undefined;
  isPausing: boolean;
}

/** Milliseconds below which a pause is a single iteration of the event loop. */
const TIMED_PAUSE_MS = 2;

/**
 * Schedules tasks that may take long on one thread. A task runs synchronously while the queue is empty. After a round
 * of some milliseconds the scheduler pauses, so that quick requests run, and then runs the task of the client that has
 * used least of its share. The pause is proportional to the round, and as long as it while clients arrive: the server
 * accepts one connection per iteration of the event loop. A task that takes longer than a round is queued again.
 *
 * Tasks that change the chain have a separate lane, which does not wait for the pauses of the other. While tasks of both
 * wait, their rounds alternate. So a send waits for the running call, and for the sends before it.
 */
export class CooperativeScheduler {
  readonly #roundMsMax: number;
  readonly #costs: CallCosts;
  readonly #time: Time;
  readonly #backoff: CpuBackoff;
  readonly #calls: Lane;
  readonly #sends: Lane;
  /** True if sends have run since the last round of calls. */
  #haveSendsRun = false;
  /** Milliseconds of the last slice that may store, without storing. */
  #storingSliceMs = 0;
  /** Milliseconds in which the last round of sends was stored. */
  #storingMs = 0;
  #isRunning = false;
  /** True if a client has arrived since the last check in a pause. */
  #hasArrived = false;
  #beforeRound: () => void = () => undefined;
  #together: <T>(tasks: () => T) => T = (tasks) => tasks();

  /**
   * @param roundMsMax milliseconds of tasks before a pause
   * @param costs recent costs of calls by kind
   * @param backoff shared with the other schedulers of this thread
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
   * Runs a task synchronously, or later if others are scheduled before it; within another task always synchronously.
   *
   * @param began time of the request; absent: now
   * @returns its result; undefined if its client has disconnected before the next slice
   * @throws within another task the errors of the work; else it rejects with them, and with LimitError if too many
   *   tasks are queued
   */
  run<T>(task: Task, work: Work<T>, began?: number): T | Promise<Awaited<T> | undefined> {
    if (this.#isRunning) return this.#slice(task, work, this.#time.now());
    const lane = task.isSend === true ? this.#sends : this.#calls;
    const isFree =
      lane.queue.size === 0 && lane.roundMs < this.#roundMsOf(lane) && !this.#backoff.isResting();
    if (isFree) return this.#runNow(lane, task, work, began ?? this.#time.now());
    const result = new Promise<Awaited<T> | undefined>((resolve, reject) => {
      const run = (ticket: Ticket<QueuedTask>): Settle => {
        try {
          const outcome = this.#runSlice(lane, task, work, this.#time.now(), ticket);
          return (failure) => {
            if (failure !== undefined) reject(failure.error);
            // A promise is resolved, and a rejected one after a failure has no effect.
            resolve(outcome as Awaited<T>);
          };
        } catch (error) {
          return () => reject(error);
        }
      };
      lane.queue.push(task, { run, abort: () => resolve(undefined) });
      if (lane.queue.size > 1) task.onQueued?.();
    });
    if (!lane.isPausing) this.#pause(lane);
    return result;
  }

  /** Notes a client that has connected or sent a request: more may follow. */
  noticeArrival(): void {
    this.#hasArrived = true;
  }

  /** Sets the callback before each round of queued tasks, which sends ready responses. */
  beforeRounds(callback: () => void): void {
    this.#beforeRound = callback;
  }

  /**
   * Sets a function that runs the sends of a round, or a slice of a batch, such as one that commits together what they
   * store. If it throws, they all fail.
   */
  runTogether(together: <T>(tasks: () => T) => T): void {
    this.#together = together;
  }

  #runNow<T>(lane: Lane, task: Task, work: Work<T>, began: number): T | Promise<Awaited<T> | undefined> {
    try {
      return this.#runSlice(lane, task, work, began);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs a slice of a task. @param ticket absent if the task was not queued */
  #runSlice<T>(
    lane: Lane,
    task: Task,
    work: Work<T>,
    began: number,
    ticket?: Ticket<QueuedTask>,
  ): T | Promise<Awaited<T> | undefined> {
    if (ticket !== undefined) lane.queue.begin(ticket);
    const stores = mayStore(task);
    this.#isRunning = true;
    try {
      return stores ? this.#storingSlice(task, work, began) : this.#slice(task, work, began);
    } finally {
      this.#isRunning = false;
      lane.endedAt = this.#time.now();
      const milliseconds = lane.endedAt - began;
      lane.roundMs += milliseconds;
      if (lane === this.#sends) this.#haveSendsRun = true;
      this.#backoff.note(milliseconds);
      // A commit stores all sends of a round, so that it is no cost of one.
      const costMs = stores ? this.#storingSliceMs : milliseconds;
      if (ticket !== undefined) lane.queue.end(ticket, costMs);
      else this.#note(lane, task, costMs);
    }
  }

  #storingSlice<T>(task: Task, work: Work<T>, began: number): T | Promise<Awaited<T> | undefined> {
    return this.#together(() => {
      try {
        return this.#slice(task, work, began);
      } finally {
        this.#storingSliceMs = this.#time.now() - began;
      }
    });
  }

  /** Notes the duration of a task that was not queued. */
  #note({ queue }: Lane, { caller, call }: Task, milliseconds: number): void {
    queue.note(caller, milliseconds);
    if (call !== undefined && milliseconds > this.#roundMsMax) this.#costs.note(kindOf(call), milliseconds);
  }

  /** Runs a task for the time of a round, and queues the rest. */
  #slice<T>(task: Task, work: Work<T>, began: number): T | Promise<Awaited<T> | undefined> {
    try {
      if (typeof work === 'function') return work();
      const { done, value } = runUntil(work, began + this.#roundMsMax, this.#time);
      if (done === true) return value;
      task.onYield?.();
    } finally {
      task.onSlice?.(this.#time.now() - began);
    }
    return Promise.resolve().then(() => {
      if (task.caller.isGone?.() === true) return undefined;
      return this.run({ ...task, isBegun: true }, work) as Awaited<T>; // a promise is resolved
    });
  }

  #runRound(lane: Lane): void {
    lane.isPausing = false;
    lane.roundMs = 0;
    if (lane === this.#calls) this.#haveSendsRun = false;
    this.#beforeRound();
    this.#runTasks(lane, (settled) => {
      do {
        const ticket = lane.queue.next();
        if (ticket === undefined) return;
        // The responses of this round are sent before a long call, which waits for one such round and no more.
        if (settled.length > 0 && ticket.expected > this.#roundMsMax && lane.awaited !== ticket) {
          lane.awaited = ticket;
          return;
        }
        settled.push(ticket.item.run(ticket));
      } while (lane.roundMs < this.#roundMsOf(lane));
    });
    if (lane.queue.size > 0) this.#pause(lane);
  }

  /** Runs tasks, sends together, and settles them all. */
  #runTasks(lane: Lane, tasks: (settled: Settle[]) => void): void {
    const settled: Settle[] = [];
    let failure: { readonly error: unknown } | undefined;
    try {
      if (lane === this.#sends) this.#storeTogether(() => tasks(settled));
      else tasks(settled);
    } catch (error) {
      failure = { error };
    }
    for (const settle of settled) settle(failure);
  }

  #storeTogether(tasks: () => void): void {
    let ran = Number.POSITIVE_INFINITY;
    try {
      this.#together(() => {
        tasks();
        ran = this.#time.now();
      });
    } finally {
      this.#storingMs = Math.max(0, this.#time.now() - ran);
    }
  }

  /** A round of sends runs as long as it takes to store it: where commits are slow, few of them are made. */
  #roundMsOf(lane: Lane): number {
    if (lane === this.#calls) return this.#roundMsMax;
    return Math.max(this.#roundMsMax, Math.min(this.#storingMs, SENDS_ROUND_MS_MAX));
  }

  /** Pauses, so that everything else gets its share before the next round. */
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
    if (isNext) this.#runShortTask(lane);
    this.#time.soon(() => this.#resume(lane));
  }

  #areSendsNext(): boolean {
    return this.#sends.queue.size > 0 && !this.#haveSendsRun;
  }

  /**
   * Runs the next task within a pause if it is expected to be short: a client that calls rarely does not wait for the
   * long pause after the long call of another client. The pause continues.
   */
  #runShortTask(lane: Lane): void {
    const ticket = lane.queue.next();
    if (ticket === undefined || ticket.expected > this.#roundMsMax) return;
    const { roundMs, endedAt } = lane;
    this.#beforeRound();
    this.#runTasks(lane, (settled) => settled.push(ticket.item.run(ticket)));
    if (lane.roundMs - roundMs > this.#roundMsMax) return;
    lane.roundMs = roundMs;
    lane.endedAt = endedAt;
  }

  /** Returns true if the pause of the calls has ended. */
  #isPauseOver(): boolean {
    const { endedAt, roundMs } = this.#calls;
    const isOver = !this.#hasArrived || this.#time.now() - endedAt >= roundMs;
    this.#hasArrived = false;
    return isOver;
  }
}

/** Returns true for a send, and for a batch, which may contain sends. */
function mayStore({ isSend, call }: Task): boolean {
  return isSend === true || call === undefined;
}

function newLane(costs: CallCosts): Lane {
  const queue = new FairQueue<QueuedTask>(costs, ({ abort }) => abort());
  return { queue, roundMs: 0, endedAt: 0, awaited: undefined, isPausing: false };
}
