/** A task of a client that runs in slices, within the budget of an iteration of the event loop. */
export interface LoopTask {
  readonly client: string;
  /** Priority among the tasks of its client, the least first; absent: first in, first out. */
  readonly order?: number;
  /** Runs a part of the task, spends its cost, and enqueues the task again if there is more. */
  runSlice(): void;
}

/**
 * A budget for one kind of tasks per iteration of the event loop, such as parsing, reading or writing, so that they do
 * not delay short requests. Tasks beyond it are queued for the next iterations, round-robin between clients.
 */
export class LoopBudget {
  readonly #costMax: number;
  /** Queued tasks by client, in round-robin order. */
  readonly #clients = new Map<string, Set<LoopTask>>();
  /** Cost of this iteration so far. */
  #spent = 0;
  #isScheduled = false;

  /** @param costMax cost of one iteration, in any unit; its last task may exceed it */
  constructor(costMax: number) {
    this.#costMax = costMax;
  }

  /** True while this iteration has budget left. */
  get hasRemaining(): boolean {
    return this.#spent < this.#costMax;
  }

  /** True if no task is queued. */
  protected get isIdle(): boolean {
    return this.#clients.size === 0;
  }

  /** Counts a cost in this iteration. */
  spend(cost: number): void {
    this.#spent += cost;
    this.schedule();
  }

  /** Queues a task for a later iteration; a queued one keeps its position. */
  enqueue(task: LoopTask): void {
    const queue = this.#clients.get(task.client) ?? new Set();
    this.#clients.set(task.client, queue.add(task));
    this.schedule();
  }

  remove(task: LoopTask): void {
    const queue = this.#clients.get(task.client);
    if (queue?.delete(task) && queue.size === 0) this.#clients.delete(task.client);
  }

  /** Runs queued tasks while this iteration has budget left. */
  run(): void {
    while (this.hasRemaining && !this.isIdle) this.#takeNext()?.runSlice();
  }

  /** Begins an iteration; returns true if tasks may run in it. */
  protected beginIteration(): boolean {
    return !this.isIdle;
  }

  /** Schedules the next iteration. */
  protected schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#onIteration);
  }

  readonly #onIteration = (): void => {
    this.#isScheduled = false;
    this.#spent = 0;
    const mayRun = this.beginIteration();
    if (mayRun) this.run();
    if (mayRun || !this.isIdle) this.schedule();
  };

  /** Removes the next task of the first client, and moves the client to the end. */
  #takeNext(): LoopTask | undefined {
    for (const [client, queue] of this.#clients) {
      let [next] = queue;
      if (next?.order !== undefined) {
        for (const task of queue) if ((task.order ?? 0) < (next.order ?? 0)) next = task;
      }
      this.#clients.delete(client);
      if (next !== undefined) queue.delete(next);
      if (queue.size > 0) this.#clients.set(client, queue);
      return next;
    }
    return undefined;
  }
}
