import {
  type ForkBase,
  type ForkBlock,
  type ForkEntry,
  forkEntryOf,
  MissingEntriesError,
  type RemoteMessage,
} from '../ledger/index.ts';
import { bytesToHex, type Hash, invariant, toHash } from '../protocol/index.ts';
import { type StoreReader, stateKey } from '../store/index.ts';
import { forkPointIn } from './fork-point-record.ts';
import { blockHashKey } from './fork-tables.ts';

/**
 * The state of a remote chain at the block of a fork, as far as it was fetched. It is a store with a single block: its
 * genesis record describes the fork, and each fetch is a patch that adds entries of the state. The value of an entry is
 * empty where the remote chain has none.
 */
export class ForkState implements ForkBase {
  readonly #store: StoreReader;
  readonly #missing = new Map<string, ForkEntry>();

  constructor(store: StoreReader) {
    this.#store = store;
  }

  get block(): ForkBlock {
    const record = this.#store.genesis();
    invariant(record !== undefined, 'the store of a fork begins with its fork point');
    const { miner, prevRandao, baseFee = 0n, excessBlobGas = 0n } = forkPointIn(record);
    return { coinbase: miner, randomness: prevRandao, prices: { baseFee, excessBlobGas } };
  }

  state(key: Uint8Array): Uint8Array | undefined {
    const stored = this.#store.state(key);
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
