/** Work that waits for its share of a turn of the event loop. */
export interface LoopTask {
  readonly client: string;
  /** Position among the tasks of its client, the least first; absent: the one that has waited longest is next. */
  readonly order?: number;
  /** Does a part of the work, spends its cost, and waits again if there is more. */
  runSlice(): void;
}

/**
 * Bounds what one kind of work may cost in a turn of the event loop, such as parsing, reading or writing: all of it at
 * once would hold up clients that ask for little. Tasks that find no room run in the next turns: clients alternate.
 */
export class LoopBudget {
  readonly #costMax: number;
  /** Tasks that wait, by client; the client that is next comes first. */
  readonly #clients = new Map<string, Set<LoopTask>>();
  /** Cost of this turn of the event loop so far. */
  #spent = 0;
  #isScheduled = false;

  /** @param costMax cost of one turn, in any unit; the last task of a turn may exceed it */
  constructor(costMax: number) {
    this.#costMax = costMax;
  }

  /** True while this turn has room for more. */
  get hasRoom(): boolean {
    return this.#spent < this.#costMax;
  }

  /** True if no task waits. */
  protected get isIdle(): boolean {
    return this.#clients.size === 0;
  }

  /** Counts the cost of work in this turn. */
  spend(cost: number): void {
    this.#spent += cost;
    this.schedule();
  }

  /** Queues a task for a later turn; one that waits already keeps its position. */
  wait(task: LoopTask): void {
    const waiting = this.#clients.get(task.client) ?? new Set();
    this.#clients.set(task.client, waiting.add(task));
    this.schedule();
  }

  /** Removes a task from those that wait. */
  remove(task: LoopTask): void {
    const waiting = this.#clients.get(task.client);
    if (waiting?.delete(task) && waiting.size === 0) this.#clients.delete(task.client);
  }

  /** Runs tasks that wait while this turn has room. */
  run(): void {
    while (this.hasRoom && !this.isIdle) this.#takeNext()?.runSlice();
  }

  /** Begins a turn; returns true if tasks may run in it. */
  protected beginTurn(): boolean {
    return !this.isIdle;
  }

  /** Has the next turn begin. */
  protected schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#spent = 0;
    const mayRun = this.beginTurn();
    if (mayRun) this.run();
    if (mayRun || !this.isIdle) this.schedule();
  };

  /** Takes out the next task of the first client, which is last then. */
  #takeNext(): LoopTask | undefined {
    for (const [client, waiting] of this.#clients) {
      let [next] = waiting;
      if (next?.order !== undefined) {
        for (const task of waiting) if ((task.order ?? 0) < (next.order ?? 0)) next = task;
      }
      this.#clients.delete(client);
      if (next !== undefined) waiting.delete(next);
      if (waiting.size > 0) this.#clients.set(client, waiting);
      return next;
    }
    return undefined;
  }
}
