import { BoundedMap } from '../caching/bounded-map.ts';
import { jsonInSlices, parseInSlices } from './long-json.ts';
import type { StoredHistory } from './stored-history.ts';

/** Bytes of the cached history of a remote chain (32 MiB). */
const FORK_HISTORY_BYTES_MAX = 32 * 1024 * 1024;

/** Bytes of an entry without its text and its key, about. */
const ENTRY_BYTES = 200;

/** A value, and its JSON. */
interface Fetched {
  readonly value: unknown;
  readonly text: string;
}

/**
 * A cache of immutable values as JSON, in memory and in the stores of the fork, bounded in bytes. Equal requests at one
 * time share one fetch. Null is not cached: a remote node may have the value later.
 */
export class HistoryCache {
  readonly #texts = new BoundedMap<string, string>(
    FORK_HISTORY_BYTES_MAX,
    (text) => 2 * text.length + ENTRY_BYTES,
  );
  readonly #fetches = new Map<string, Promise<Fetched>>();
  readonly #stored: StoredHistory | undefined;

  /** @param stored undefined: the values are in memory only */
  constructor(stored: StoredHistory | undefined) {
    this.#stored = stored;
  }

  /** Returns a value of its own to each caller; fetches it if it is not cached. */
  async of(key: string, fetch: () => Promise<unknown>): Promise<unknown> {
    const known = this.#texts.get(key) ?? this.#load(key);
    if (known !== undefined) return parseInSlices(known);
    const running = this.#fetches.get(key);
    if (running === undefined) return (await this.#fetch(key, fetch)).value;
    return parseInSlices((await running).text);
  }

  #load(key: string): string | undefined {
    const text = this.#stored?.get(key);
    if (text !== undefined) this.#texts.set(key, text);
    return text;
  }

  #fetch(key: string, fetch: () => Promise<unknown>): Promise<Fetched> {
    const fetched = fetch()
      .then(async (value) => {
        const text = await jsonInSlices(value);
        if (value === null) return { value, text };
        this.#texts.set(key, text);
        this.#stored?.set(key, text);
        return { value, text };
      })
      .finally(() => this.#fetches.delete(key));
    this.#fetches.set(key, fetched);
    return fetched;
  }
}
