/** Calls everyone who asked to be told of an event, in the order in which they asked. */
export class Listeners<Event extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Event) => void>();

  /** Returns the function that ends it. */
  add(listener: (...event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  notify(...event: Event): void {
    for (const listener of this.#listeners) listener(...event);
  }
}
