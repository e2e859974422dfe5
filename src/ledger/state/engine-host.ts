import type { AccountState, Host } from '../../evm/index.ts';
import type { Address, Hash } from '../../protocol/index.ts';
import {
  contractAddress,
  contractId,
  createAddress,
  invariant,
  ZERO_ADDRESS,
  ZERO_HASH,
} from '../../protocol/index.ts';
import { stateKey } from '../../store/index.ts';
import type { Chain } from '../chain/chain.ts';
import { accountStateOf } from '../chain/records.ts';
import { overBase } from './fork-base.ts';
import type { NativeState } from './native-state.ts';
import type { StateReader } from './state-reader.ts';
import type { StateRules } from './state-rules.ts';

const WORD_BYTES = 32;

/** Pads a stored storage value, which has no leading zero bytes, to a word. */
export function paddedWord(stored: Uint8Array): Uint8Array {
  if (stored.length === WORD_BYTES) return stored;
  const word = new Uint8Array(WORD_BYTES);
  word.set(stored, WORD_BYTES - stored.length);
  return word;
}

/** Removes the leading zero bytes of a word, as the store keeps it; undefined for zero, which is not stored. */
export function trimmedWord(word: Uint8Array): Uint8Array | undefined {
  const first = word.findIndex((byte) => byte !== 0);
  return first < 0 ? undefined : word.subarray(first);
}

/** The block hashes that code can read. */
export type BlockHashes = Pick<Chain, 'blockHash'>;

/** The engine's view of the store: called at the first touch of an entry only. */
export class StoreHost implements Host {
  /** The store, above the base of a fork. */
  readonly #store: StateReader;
  readonly requireComplete: Host['requireComplete'];
  readonly #chain: BlockHashes;
  readonly #native: NativeState;
  readonly #rules: StateRules;
  /** The key of the last slot: look-ups share its bytes. */
  readonly #slotKey = stateKey.storage(ZERO_ADDRESS, ZERO_HASH);

  constructor(store: StateReader, chain: BlockHashes, native: NativeState, rules: StateRules) {
    const { base } = rules;
    this.requireComplete = base && ((message) => base.requireComplete(message));
    this.#store = overBase(store, base);
    this.#rules = rules;
    this.#chain = chain;
    this.#native = native;
  }

  account(address: Address): AccountState | undefined {
    const stored = this.#store.state(stateKey.account(address));
    return stored === undefined ? undefined : accountStateOf(stored, this.#rules.weiPerUnit);
  }

  storage(address: Address, slot: Hash): Uint8Array | undefined {
    this.#slotKey.set(address, 1);
    this.#slotKey.set(slot, 1 + address.length);
    return this.#store.state(this.#slotKey);
  }

  mayHaveStorage(address: Address): boolean {
    return this.#store.mayHaveState(stateKey.storagePrefix(address));
  }

  hasStorage(address: Address): boolean {
    // Listing entries writes unwritten blocks to the file, which nearly no new contract needs.
    if (!this.mayHaveStorage(address)) return false;
    for (const _ of this.#store.stateEntries(stateKey.storagePrefix(address))) return true;
    return false;
  }

  code(codeHash: Hash): Uint8Array {
    const code = this.#store.state(stateKey.code(codeHash));
    // A base has the code of each of its accounts.
    invariant(code !== undefined, 'the code of every account with a code hash is stored');
    return code;
  }

  blockHash(number: bigint): Hash | undefined {
    const { base, fork } = this.#rules;
    const isRemote = fork !== undefined && number <= BigInt(fork.number);
    return isRemote ? base?.blockHash(Number(number)) : this.#chain.blockHash(number);
  }

  createAddress(creator: Address, nonce: bigint, creation: number): Address {
    if (this.#rules.hasStandardAddresses) return createAddress(creator, nonce);
    return contractAddress(contractId(this.#native.firstContractOfBlock + creation));
  }
}
