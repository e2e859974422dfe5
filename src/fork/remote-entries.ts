import { WEI_PER_UNIT } from '../consensus.ts';
import { accountRecordOf, accountStateOf, type ForkEntry, trimmedWord } from '../ledger/index.ts';
import { type Hash, keccak256 } from '../protocol/index.ts';
import { type StateChange, type Store, type StoreReader, stateKey } from '../store/index.ts';
import type { FetchedEntry, RemoteEntry } from './fetch-entries.ts';
import { keyOf, nameOfEntry } from './fork-state.ts';
import { blockHashKey } from './fork-tables.ts';

/** Reads a remote chain at the block of a fork. Its errors are those of `fetchEntries` and `RemoteHistory`. */
export interface EntrySource {
  /** Returns entries of the state, in any order. */
  state(entries: readonly RemoteEntry[]): Promise<readonly FetchedEntry[]>;
  /** Returns the hash of an earlier block. */
  blockHash(number: number): Promise<Hash>;
}

/** The stores of a fork. */
export interface EntryStores {
  /** Entries that this process has fetched or copied. */
  readonly own: Store;
  /** The entries that processes share, which another one may write; absent: none, as once they are of another node. */
  shared?: StoreReader | undefined;
  /** The same store, if this process is its writer. */
  sharedWriter?: Store | undefined;
}

const NOTHING = new Uint8Array();

/** Brings entries of the remote chain into the store of a fork. Callers that need the same entry share one fetch. */
export class RemoteEntries {
  readonly #stores: EntryStores;
  readonly #source: EntrySource;
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(stores: EntryStores, source: EntrySource) {
    this.#stores = stores;
    this.#source = source;
  }

  /** Resolves when all entries are in the store. Rejects as the source, and as the store. */
  async fetch(entries: readonly ForkEntry[]): Promise<void> {
    const begun = new Map(entries.map((entry) => [nameOfEntry(entry), entry]));
    const waits: Promise<void>[] = [];
    for (const [name, entry] of begun) {
      const fetching = this.#fetching.get(name);
      if (fetching !== undefined) waits.push(fetching);
      if (fetching !== undefined || this.#stores.own.state(keyOf(entry)) !== undefined) begun.delete(name);
    }
    if (begun.size > 0) waits.push(this.#begin(begun));
    await Promise.all(waits);
  }

  #begin(entries: ReadonlyMap<string, ForkEntry>): Promise<void> {
    const fetching = this.#bring([...entries.values()]).finally(() => {
      for (const name of entries.keys()) this.#fetching.delete(name);
    });
    for (const name of entries.keys()) this.#fetching.set(name, fetching);
    return fetching;
  }

  /** Returns true if the source is needed for some of the entries. */
  lacks(entries: readonly ForkEntry[]): boolean {
    const { own, shared } = this.#stores;
    return entries.some((entry) => {
      const key = keyOf(entry);
      return own.state(key) === undefined && shared?.state(key) === undefined;
    });
  }

  async #bring(entries: readonly ForkEntry[]): Promise<void> {
    const { own, shared, sharedWriter } = this.#stores;
    const copied: StateChange[] = [];
    const missing = entries.filter((entry) => {
      const found = shared === undefined ? [] : sharedChanges(shared, entry);
      copied.push(...found);
      return found.length === 0;
    });
    if (copied.length > 0) commitEntries(own, copied);
    if (missing.length === 0) return;
    const numbers = missing.flatMap((entry) => (entry.kind === 'blockHash' ? [entry.number] : []));
    const [state, hashes] = await Promise.all([
      this.#source.state(missing.filter((entry) => entry.kind !== 'blockHash')),
      Promise.all(numbers.map(async (number) => ({ number, hash: await this.#source.blockHash(number) }))),
    ]);
    const fetched = [
      ...state.flatMap(changesOf),
      ...hashes.map(({ number, hash }) => ({ key: blockHashKey(number), before: undefined, after: hash })),
    ];
    if (sharedWriter !== undefined) commitEntries(sharedWriter, fetched);
    if (own !== sharedWriter) commitEntries(own, fetched);
  }
}

/** Returns the changes that copy an entry from a shared store; none if it does not have it. */
function sharedChanges(shared: StoreReader, entry: ForkEntry): StateChange[] {
  const key = keyOf(entry);
  const after = shared.state(key);
  if (after === undefined) return [];
  const changes = [{ key, before: undefined, after }];
  const codeHash =
    entry.kind === 'account' && after.length > 0 ? accountStateOf(after, WEI_PER_UNIT).codeHash : undefined;
  if (codeHash === undefined) return changes;
  const code = shared.state(stateKey.code(codeHash));
  // An account is stored with its code in one commit.
  return code === undefined
    ? []
    : [...changes, { key: stateKey.code(codeHash), before: undefined, after: code }];
}

/** Returns the changes that store a fetched entry. */
function changesOf(entry: FetchedEntry): StateChange[] {
  const key = keyOf(entry);
  switch (entry.kind) {
    case 'account': {
      const { balance, nonce, code } = entry.account;
      const codeHash = code.length === 0 ? undefined : keccak256(code);
      const isEmpty = balance === 0n && nonce === 0n && codeHash === undefined;
      const after = isEmpty ? NOTHING : accountRecordOf({ balance, nonce, codeHash }, WEI_PER_UNIT);
      const change = { key, before: undefined, after };
      if (codeHash === undefined) return [change];
      return [change, { key: stateKey.code(codeHash), before: undefined, after: code }];
    }
    case 'storage':
      return [{ key, before: undefined, after: trimmedWord(entry.word) ?? NOTHING }];
  }
}

/** Stores changes that the store does not have yet, each key once. */
export function commitEntries(store: Store, changes: readonly StateChange[]): void {
  const state = new Map<string, StateChange>();
  for (const change of changes) {
    if (store.state(change.key) === undefined) state.set(Buffer.from(change.key).toString('latin1'), change);
  }
  if (state.size === 0) return;
  store.commitPatch({ patch: NOTHING, state: [...state.values()], counts: [], accumulator: NOTHING });
}
