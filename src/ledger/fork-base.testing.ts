import { WEI_PER_UNIT } from '../consensus.ts';
import type { AccountState } from '../evm/index.ts';
import {
  type Address,
  bytesToHex,
  type Hash,
  keccak256,
  ZERO_ADDRESS,
  ZERO_HASH,
} from '../protocol/index.ts';
import { stateKey } from '../store/index.ts';
import { accountRecordOf } from './chain/records.ts';
import { trimmedWord } from './state/engine-host.ts';
import {
  type ForkBase,
  type ForkBlock,
  type ForkEntry,
  forkEntryOf,
  MissingEntriesError,
  type RemoteMessage,
} from './state/fork-base.ts';

/** An account of a remote chain. */
export interface RemoteAccount {
  readonly address: Address;
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly storage?: ReadonlyMap<Hash, Hash>;
}

/** A remote chain, and the base of a fork of it: entries arrive when a test lets them. */
export class RemoteState implements ForkBase {
  readonly block: ForkBlock = {
    coinbase: ZERO_ADDRESS,
    randomness: ZERO_HASH,
    prices: { baseFee: 0n, excessBlobGas: 0n },
  };
  readonly #entries = new Map<string, Uint8Array>();
  /** The keys of entries that have arrived; undefined: all have. */
  readonly #known: Set<string> | undefined;
  readonly #missing = new Map<string, ForkEntry>();

  constructor(accounts: readonly RemoteAccount[], isComplete: boolean) {
    this.#known = isComplete ? undefined : new Set();
    for (const { address, balance = 0n, nonce = 0n, code, storage = new Map<Hash, Hash>() } of accounts) {
      const state: AccountState = { balance, nonce, codeHash: code && keccak256(code) };
      this.#entries.set(bytesToHex(stateKey.account(address)), accountRecordOf(state, WEI_PER_UNIT));
      if (code !== undefined) this.#entries.set(bytesToHex(stateKey.code(keccak256(code))), code);
      for (const [slot, value] of storage) {
        const word = trimmedWord(value);
        if (word !== undefined) this.#entries.set(bytesToHex(stateKey.storage(address, slot)), word);
      }
    }
  }

  state(key: Uint8Array): Uint8Array | undefined {
    const entry = forkEntryOf(key);
    const name = bytesToHex(key);
    if (entry === undefined || this.#known === undefined || this.#known.has(name)) {
      return this.#entries.get(name);
    }
    this.#missing.set(name, entry);
    return undefined;
  }

  blockHash(): Hash | undefined {
    return undefined;
  }

  requireComplete(message?: RemoteMessage): void {
    if (this.#missing.size === 0) return;
    const entries = [...this.#missing.values()];
    this.#missing.clear();
    throw new MissingEntriesError(entries, message);
  }

  /** Lets an entry arrive. */
  add(entry: ForkEntry): void {
    if (entry.kind === 'account') this.#known?.add(bytesToHex(stateKey.account(entry.address)));
    if (entry.kind === 'storage') this.#known?.add(bytesToHex(stateKey.storage(entry.address, entry.slot)));
  }
}
