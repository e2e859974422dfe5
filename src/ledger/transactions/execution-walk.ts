import { invariant } from '../../protocol/index.ts';
import type { Waiting, WaitingTransactions } from './waiting-transactions.ts';

/** The way of the pool's state through the transactions that wait. To start over takes no longer the more there are. */
export class ExecutionWalk {
  readonly #waiting: WaitingTransactions;
  /** Ids of those that are executed on the state. */
  #executed = new Set<string>();
  #next: Iterator<Waiting>;

  constructor(waiting: WaitingTransactions) {
    this.#waiting = waiting;
    this.#next = waiting.each();
  }

  /** Tells whether some that could be executed are not. */
  get isBehind(): boolean {
    return this.#executed.size < this.#waiting.readyCount;
  }

  has(id: string): boolean {
    return this.#executed.has(id);
  }

  /** Notes that one is executed on the state. */
  add(id: string): void {
    this.#executed.add(id);
  }

  /** Notes that nothing is executed on the state any more. */
  startOver(): void {
    this.#executed = new Set();
    this.#next = this.#waiting.each();
  }

  /** The next one that could be executed and is not; there is one while the walk is behind. */
  next(): Waiting {
    return this.#nextOnWay() ?? this.#nextFromStart();
  }

  /** Finds one that was passed while it could not be executed, or whose execution broke off. */
  #nextFromStart(): Waiting {
    this.#next = this.#waiting.each();
    const found = this.#nextOnWay();
    invariant(found !== undefined, 'more could be executed than is');
    return found;
  }

  #nextOnWay(): Waiting | undefined {
    for (let step = this.#next.next(); step.done !== true; step = this.#next.next()) {
      const { id } = step.value;
      if (!this.#executed.has(id) && !this.#waiting.queue.has(id)) return step.value;
    }
    return undefined;
  }
}
