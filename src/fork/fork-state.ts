import { BoundedMap } from '../caching/bounded-map.ts';
import {
  type ForkBase,
  type ForkBlock,
  type ForkEntry,
  forkEntryOf,
  MissingEntriesError,
  type RemoteMessage,
} from '../ledger/index.ts';
import { bytesToHex, equalBytes, type Hash, invariant, toHash } from '../protocol/index.ts';
import { type StoreReader, stateKey } from '../store/index.ts';
import { forkPointIn } from './fork-point-record.ts';
import { blockHashKey } from './fork-tables.ts';

/** Bytes of the entries of a remote chain's state that are kept in memory, for each chain of the node (1 MiB). */
const FORK_STATE_BYTES_MAX = 1024 * 1024;

/** Bytes of a recent entry without its value, about. */
const ENTRY_BYTES = 250;

interface RecentEntry {
  readonly key: Uint8Array;
  readonly stored: Uint8Array;
}

/** Bytes of a key that its hash covers: the last ones of its address, or of a hash there, and those of its slot. */
const HASHED_ADDRESS_END = 21;
const HASHED_ADDRESS_BYTES = 4;
const HASHED_SLOT_BYTES = 8;
/** Prime of the hash FNV-1a. */
const FNV_PRIME = 0x01000193;

/** Returns a small integer that few keys share: making a string of a key takes longer than the look-up. */
function hashOfKey(key: Uint8Array): number {
  let hash = key.length;
  for (let index = HASHED_ADDRESS_END - HASHED_ADDRESS_BYTES; index < HASHED_ADDRESS_END; index += 1) {
    hash = Math.imul(hash ^ (key[index] ?? 0), FNV_PRIME);
  }
  for (let index = key.length - HASHED_SLOT_BYTES; index < key.length; index += 1) {
    hash = Math.imul(hash ^ (key[index] ?? 0), FNV_PRIME);
  }
  return hash >> 1;
}

/**
 * The state of a remote chain at the block of a fork, as far as it was fetched. It is a store with a single block: its
 * genesis record describes the fork, and each fetch is a patch that adds entries of the state. The value of an entry is
 * empty where the remote chain has none.
 */
export class ForkState implements ForkBase {
  readonly #store: StoreReader;
  readonly #missing = new Map<string, ForkEntry>();
  /** Entries by hashes of their keys: they never change. */
  readonly #recent = new BoundedMap<number, RecentEntry>(
    FORK_STATE_BYTES_MAX,
    ({ stored }) => stored.length + ENTRY_BYTES,
  );
  readonly block: ForkBlock;

  constructor(store: StoreReader) {
    this.#store = store;
    const record = store.genesis();
    invariant(record !== undefined, 'the store of a fork begins with its fork point');
    const { miner, prevRandao, baseFee = 0n, excessBlobGas = 0n } = forkPointIn(record);
    this.block = { coinbase: miner, randomness: prevRandao, prices: { baseFee, excessBlobGas } };
  }

  state(key: Uint8Array): Uint8Array | undefined {
    const stored = this.#storedEntry(key);
    if (stored !== undefined) return stored.length === 0 ? undefined : stored;
    const entry = forkEntryOf(key);
    if (entry !== undefined) this.#miss(entry);
    return undefined;
  }

  blockHash(number: number): Hash | undefined {
    const stored = this.#store.state(blockHashKey(number));
    if (stored !== undefined) return toHash(stored);
    this.#miss({ kind: 'blockHash', number });
    return undefined;
  }

  requireComplete(message?: RemoteMessage): void {
    if (this.#missing.size === 0) return;
    const entries = [...this.#missing.values()];
    this.#missing.clear();
    throw new MissingEntriesError(entries, message);
  }

  #storedEntry(key: Uint8Array): Uint8Array | undefined {
    const hash = hashOfKey(key);
    const recent = this.#recent.get(hash);
    if (recent !== undefined && equalBytes(recent.key, key)) return recent.stored;
    const stored = this.#store.state(key);
    if (stored !== undefined) this.#recent.set(hash, { key: key.slice(), stored });
    return stored;
  }

  #miss(entry: ForkEntry): void {
    this.#missing.set(nameOfEntry(entry), entry);
  }
}

/** Returns a name that is the same for equal entries. */
export function nameOfEntry(entry: ForkEntry): string {
  return bytesToHex(keyOf(entry));
}

/** Returns the key under which a store has an entry. */
export function keyOf(entry: ForkEntry): Uint8Array {
  switch (entry.kind) {
    case 'account':
      return stateKey.account(entry.address);
    case 'storage':
      return stateKey.storage(entry.address, entry.slot);
    case 'blockHash':
      return blockHashKey(entry.number);
  }
}
