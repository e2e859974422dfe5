import type { Store } from './store.ts';

/** A store that can be replaced by another one, as if it had always had that history. */
export class SwitchedStore {
  /** The current store. */
  readonly store: Store;
  readonly #all: Store[] = [];

  constructor(first: Store) {
    this.#all.push(first);
    this.store = new Proxy(first, {
      get: (_first, name) => {
        const current = this.#all.at(-1) ?? first;
        const member: unknown = Reflect.get(current, name, current);
        return typeof member === 'function' ? member.bind(current) : member;
      },
    });
  }

  switchTo(store: Store): void {
    this.#all.push(store);
  }

  async close(): Promise<void> {
    for (const store of this.#all) await store.close();
  }
}
