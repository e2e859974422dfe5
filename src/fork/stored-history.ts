import type { Store } from '../store/index.ts';
import { HISTORY_PREFIX, historyKey } from './fork-tables.ts';
import { commitEntries, type EntryStores } from './remote-entries.ts';

/** Bytes of the history in the store of a fork (256 MiB), and of one result there (16 MiB). */
const FORK_STORED_HISTORY_BYTES_MAX = 256 * 1024 * 1024;
export const FORK_STORED_RESULT_BYTES_MAX = 16 * 1024 * 1024;

/** Results about the history in the stores of a fork, which never change. */
export class StoredHistory {
  readonly #stores: EntryStores;
  readonly #own: HistoryTable;
  readonly #shared: HistoryTable | undefined;

  constructor(stores: EntryStores) {
    const { own, sharedWriter } = stores;
    this.#stores = stores;
    this.#own = new HistoryTable(own);
    this.#shared =
      sharedWriter === undefined || sharedWriter === own ? undefined : new HistoryTable(sharedWriter);
  }

  /** Returns the text that was stored under a name; copies it from the shared store if need be. */
  get(name: string): string | undefined {
    const { own, shared } = this.#stores;
    const key = historyKey(name);
    const stored = own.state(key);
    if (stored !== undefined) return textOf(stored);
    const found = shared?.state(key);
    if (found === undefined) return undefined;
    this.#own.set(key, found);
    return textOf(found);
  }

  /** Stores a text, unless it is too long or the bound is met. */
  set(name: string, text: string): void {
    const key = historyKey(name);
    const bytes = Buffer.from(text);
    this.#shared?.set(key, bytes);
    this.#own.set(key, bytes);
  }
}

/** The results in one store, within a bound. */
class HistoryTable {
  readonly #store: Store;
  /** Bytes of the values; undefined until they are needed. */
  #bytes: number | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.#bytes ??= this.#storedBytes();
    const isWithin = this.#bytes + value.length <= FORK_STORED_HISTORY_BYTES_MAX;
    if (!isWithin || value.length > FORK_STORED_RESULT_BYTES_MAX) return;
    commitEntries(this.#store, [{ key, before: undefined, after: value }]);
    this.#bytes += value.length;
  }

  #storedBytes(): number {
    let bytes = 0;
    for (const { value } of this.#store.stateEntries(HISTORY_PREFIX)) bytes += value.length;
    return bytes;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
