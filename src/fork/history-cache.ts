import { BoundedMap } from '../bounded-map.ts';
import { FORK_HISTORY_BYTES_MAX } from '../limits.ts';

/** Bytes of an entry without its text and its key, about. */
const ENTRY_BYTES = 200;

/**
 * A cache of immutable values as JSON, bounded in bytes. Equal requests at one time share one fetch. Null is not
 * cached: a remote node may have the value later.
 */
export class HistoryCache {
  readonly #texts = new BoundedMap<string, string>(
    FORK_HISTORY_BYTES_MAX,
    (text) => 2 * text.length + ENTRY_BYTES,
  );
  readonly #fetches = new Map<string, Promise<string>>();

  /** Returns a value of its own to each caller; fetches it if it is not cached. */
  async of(key: string, fetch: () => Promise<unknown>): Promise<unknown> {
    const known = this.#texts.get(key);
    if (known !== undefined) return JSON.parse(known);
    const running = this.#fetches.get(key) ?? this.#fetch(key, fetch);
    return JSON.parse(await running);
  }

  #fetch(key: string, fetch: () => Promise<unknown>): Promise<string> {
    const fetched = fetch()
      .then((value) => {
        const text = JSON.stringify(value);
        if (value !== null) this.#texts.set(key, text);
        return text;
      })
      .finally(() => this.#fetches.delete(key));
    this.#fetches.set(key, fetched);
    return fetched;
  }
}
