import { ProcessHold } from '../process-hold.ts';

/** Open resources, in the order in which they were opened. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /**
   * Closes everything, the newest first, also past failures, of which the first is thrown at the end. Further calls
   * wait for the same end. The process is held until then.
   */
  close(): Promise<void> {
    this.#closing ??= new ProcessHold().during(this.#closeAll());
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Opens resources; on failure closes those that were opened. */
export async function openAll<T>(open: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await open(closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Does work with resources, and closes them afterwards in any case. */
export async function closeAfter<T>(work: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await work(closers);
  } finally {
    await closers.close();
  }
}
