import type { AccountState, Host } from '../../evm/index.ts';
import type { Address, Hash } from '../../protocol/index.ts';
import { contractAddress, contractId, decode, invariant } from '../../protocol/index.ts';
import type { ChainReader } from '../../store/index.ts';
import { stateKey } from '../../store/index.ts';
import { accountStateCodec, type Chain } from '../chain/index.ts';
import type { NativeState } from './native-state.ts';

const WORD_BYTES = 32;

/** Pads a stored storage value, which has no leading zero bytes, to a word. */
export function paddedWord(stored: Uint8Array): Uint8Array {
  if (stored.length === WORD_BYTES) return stored;
  const word = new Uint8Array(WORD_BYTES);
  word.set(stored, WORD_BYTES - stored.length);
  return word;
}

/** A word without its leading zero bytes, as the store keeps it; undefined for zero, which is not stored. */
export function trimmedWord(word: Uint8Array): Uint8Array | undefined {
  const first = word.findIndex((byte) => byte !== 0);
  return first < 0 ? undefined : word.subarray(first);
}

/** The engine's view of the store: called at the first touch of an entry only. */
export class StoreHost implements Host {
  readonly #store: ChainReader;
  readonly #chain: Chain;
  readonly #native: NativeState;

  constructor(store: ChainReader, chain: Chain, native: NativeState) {
    this.#store = store;
    this.#chain = chain;
    this.#native = native;
  }

  account(address: Address): AccountState | undefined {
    const stored = this.#store.state(stateKey.account(address));
    return stored === undefined ? undefined : decode(accountStateCodec, stored);
  }

  storage(address: Address, slot: Hash): Uint8Array | undefined {
    const stored = this.#store.state(stateKey.storage(address, slot));
    return stored === undefined ? undefined : paddedWord(stored);
  }

  hasStorage(address: Address): boolean {
    for (const _ of this.#store.stateEntries(stateKey.storagePrefix(address))) return true;
    return false;
  }

  code(codeHash: Hash): Uint8Array {
    const code = this.#store.state(stateKey.code(codeHash));
    invariant(code !== undefined, 'the code of every account with a code hash is stored');
    return code;
  }

  blockHash(number: bigint): Hash | undefined {
    return this.#chain.blockHash(number);
  }

  /** A contract that CREATE makes lives at the address of the next contract instance. */
  createAddress(_creator: Address, _nonce: bigint, creation: number): Address {
    return contractAddress(contractId(this.#native.firstContractOfBlock + creation));
  }
}
