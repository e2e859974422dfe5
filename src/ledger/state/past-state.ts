import type { AccountState } from '../../evm/index.ts';
import { type Address, type Hash, ZERO_HASH } from '../../protocol/index.ts';
import type { StateEntry } from '../../store/index.ts';
import { type BlockHashes, paddedWord, StoreHost } from './engine-host.ts';
import { NativeState } from './native-state.ts';
import type { StateReader } from './state-reader.ts';
import type { StateRules } from './state-rules.ts';
import type { WorkingState } from './working-state.ts';

/** Look-ups without an engine, which takes milliseconds to create. */
export class PastStateReader {
  readonly #native: NativeState;
  readonly #host: StoreHost;
  readonly #rules: StateRules;

  constructor(store: StateReader, chain: BlockHashes, rules: StateRules) {
    this.#rules = rules;
    this.#native = new NativeState(store);
    this.#host = new StoreHost(store, chain, this.#native, rules);
  }

  get native(): NativeState {
    // A past state has no next block that would trim the cache.
    this.#native.settle();
    return this.#native;
  }

  balanceOf(address: Address): bigint {
    return this.weiBalanceOf(address) / this.#rules.weiPerUnit;
  }

  weiBalanceOf(address: Address): bigint {
    return this.#account(address)?.balance ?? 0n;
  }

  nonceOf(address: Address): bigint {
    return this.#account(address)?.nonce ?? 0n;
  }

  #account(address: Address): AccountState | undefined {
    const account = this.#host.account(address);
    this.#host.requireComplete?.();
    return account;
  }

  /** Returns contract code; empty for none. */
  codeAt(address: Address): Uint8Array {
    const codeHash = this.#account(address)?.codeHash;
    return codeHash === undefined ? new Uint8Array() : this.#host.code(codeHash);
  }

  /** Returns a word of storage; zero if nothing is stored. */
  storageAt(address: Address, slot: Hash): Uint8Array {
    const stored = this.#host.storage(address, slot);
    this.#host.requireComplete?.();
    return stored === undefined ? ZERO_HASH : paddedWord(stored);
  }
}

/** The state for calls on past states: one engine, which is cleared for each of them. */
export class PastEngineState {
  readonly #present: () => WorkingState;
  #made: WorkingState | undefined;
  #store: StateReader | undefined;
  #chain: BlockHashes | undefined;

  /** @param present gives a state of the same rules */
  constructor(present: () => WorkingState) {
    this.#present = present;
  }

  /** Returns the state of a past chain, valid until another one is requested. */
  at(store: StateReader, chain: BlockHashes): WorkingState {
    this.#made ??= this.#present().over(
      {
        state: (key) => this.#store?.state(key),
        stateEntries: (prefix): Iterable<StateEntry> => this.#store?.stateEntries(prefix) ?? [],
        mayHaveState: (prefix) => this.#store?.mayHaveState(prefix) ?? true,
      },
      { blockHash: (number) => this.#chain?.blockHash(number) },
    );
    // Calls leave no changes; this trims the loaded entries to the bounds.
    this.#made.settle();
    if (this.#store !== store) this.#made.clear();
    this.#store = store;
    this.#chain = chain;
    return this.#made;
  }
}
