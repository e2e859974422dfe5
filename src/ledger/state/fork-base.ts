import type { Message } from '../../evm/index.ts';
import type { Address, Hash } from '../../protocol/index.ts';
import { LedgerdError } from '../../protocol/index.ts';
import { type StateEntry, stateKey } from '../../store/index.ts';
import type { BlockPrices } from '../chain/block-fees.ts';
import type { StateReader } from './state-reader.ts';

/** Data of the remote chain at the block of a fork: an account with its code, a slot, or the hash of a block. */
export type ForkEntry =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'storage'; readonly address: Address; readonly slot: Hash }
  | { readonly kind: 'blockHash'; readonly number: number };

/** Returns the entry of the state that a key of the store names; undefined for one that is not fetched alone. */
export function forkEntryOf(key: Uint8Array): ForkEntry | undefined {
  const address = stateKey.addressIn(key);
  if (address === undefined) return undefined;
  const slot = stateKey.slotIn(key);
  return slot === undefined ? { kind: 'account', address } : { kind: 'storage', address, slot };
}

/** A message whose run would touch about the same entries on the remote chain. */
export type RemoteMessage = Pick<Message, 'caller' | 'to' | 'value' | 'data'>;

/** The parts of the block of a fork that calls on its state see, and that the genesis of the chain does not have. */
export interface ForkBlock {
  readonly coinbase: Address;
  readonly randomness: Hash;
  readonly prices: BlockPrices;
}

/**
 * The state of the remote chain at the block of a fork, below the entries of the store. Its entries never change. Reads
 * are synchronous: a missing entry reads as absent, a guess with which the run continues, so that it finds more of them.
 * `requireComplete` then ends the run. Whoever began it fetches the entries and runs it again.
 */
export interface ForkBase {
  readonly block: ForkBlock;
  /**
   * Returns an entry of the state by its key, in the form of the store; undefined for none, and as a guess for one that
   * is missing. Only accounts, slots and code are entries of the base.
   */
  state(key: Uint8Array): Uint8Array | undefined;
  /** Returns the hash of a block up to that of the fork; undefined for none, and as a guess for one that is missing. */
  blockHash(number: number): Hash | undefined;
  /** Throws MissingEntriesError for the guesses since the last call. @param message whose run made them */
  requireComplete(message?: RemoteMessage): void;
}

/**
 * A run read entries of the remote chain that are not here yet. It has changed nothing: fetch them, and run again.
 */
export class MissingEntriesError extends LedgerdError {
  override readonly code = 'MISSING_ENTRIES';
  readonly entries: readonly ForkEntry[];
  /** The message whose run read them; undefined: a read of the state. */
  readonly during: RemoteMessage | undefined;

  constructor(entries: readonly ForkEntry[], during?: RemoteMessage) {
    super(`${entries.length} entries of the forked chain are not here yet`);
    this.entries = entries;
    this.during = during;
  }
}

/** The stored value of an entry that this chain has removed, and the base may have. No other entry is empty. */
const REMOVED = new Uint8Array();

/** Returns the value by which a chain stores the removal of an entry: undefined, which deletes it, without a fork. */
export function removedEntry(base: ForkBase | undefined): Uint8Array | undefined {
  return base === undefined ? undefined : REMOVED;
}

/** The state of a forked chain: the entries of its store above those of its base. */
class OverlayReader implements StateReader {
  readonly #store: StateReader;
  readonly #base: ForkBase;

  constructor(store: StateReader, base: ForkBase) {
    this.#store = store;
    this.#base = base;
  }

  state(key: Uint8Array): Uint8Array | undefined {
    const stored = this.#store.state(key);
    if (stored === undefined) return this.#base.state(key);
    return stored.length === 0 ? undefined : stored;
  }

  /** Returns the entries of the store alone: no remote chain lists those of a prefix. */
  stateEntries(prefix: Uint8Array): Iterable<StateEntry> {
    return this.#store.stateEntries(prefix);
  }

  mayHaveState(): boolean {
    return true;
  }
}

/** Returns the state above the base of a fork; without a fork, that of the store. */
export function overBase(store: StateReader, base: ForkBase | undefined): StateReader {
  return base === undefined ? store : new OverlayReader(store, base);
}
