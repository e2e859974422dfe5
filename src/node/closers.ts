import { ProcessHold } from '../process-hold.ts';

/** What has to be closed, in the order in which it was opened. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  /** Adds something that was just opened. */
  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /**
   * Closes everything, the newest first, also past failures, of which the first is thrown in the end. A
   * further call waits for the same end. The process is held until then.
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

/** Opens what belongs together; when that fails, what was opened until then is closed. */
export async function openAll<T>(open: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await open(closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Does work with what it opens, and closes that afterwards, whatever comes of the work. */
export async function closeAfter<T>(work: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await work(closers);
  } finally {
    await closers.close();
  }
}
