/** The listeners of an event, called in the order in which they were added. */
export class Listeners<Event extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Event) => void>();

  /** Returns the function that removes the listener. */
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
