/** Milliseconds over which a pace is measured. */
const WINDOW_MS = 10_000;

/** Rates of blocks and operations, from the times of their arrival. */
export class Pace {
  #blocks: number[] = [];
  #operations: { readonly at: number; readonly count: number }[] = [];

  /** Notes that a block came. */
  note(now: number): void {
    this.#blocks.push(now);
  }

  /** Notes the operations of a block. */
  noteOperations(now: number, count: number): void {
    if (count > 0) this.#operations.push({ at: now, count });
  }

  /** Seconds between two blocks, where at least two came within the window, and operations a second. */
  measure(now: number): { readonly blockSeconds: number | undefined; readonly operations: number } {
    const since = now - WINDOW_MS;
    this.#blocks = this.#blocks.filter((at) => at > since);
    this.#operations = this.#operations.filter(({ at }) => at > since);
    const [first] = this.#blocks;
    const last = this.#blocks.at(-1);
    const blockSeconds =
      first === undefined || last === undefined || first === last
        ? undefined
        : (last - first) / 1_000 / (this.#blocks.length - 1);
    const total = this.#operations.reduce((sum, { count }) => sum + count, 0);
    return { blockSeconds, operations: total / (WINDOW_MS / 1_000) };
  }
}
