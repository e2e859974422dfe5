import { ProcessHold } from './process-hold.ts';

/** Open resources, in the order of their opening. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes everything once, the newest first, and throws the first error at the end. Keeps the process alive. */
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

/** Opens resources. On failure closes the opened ones. */
export async function openAll<T>(open: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await open(closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Runs an action with resources, and closes them afterwards in any case. */
export async function closeAfter<T>(action: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await action(closers);
  } finally {
    await closers.close();
  }
}
