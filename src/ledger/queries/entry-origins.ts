import type { Address, Hash } from '../../protocol/index.ts';
import { stateKey } from '../../store/index.ts';
import type { LedgerSource } from './ledger-source.ts';

/** The origins of the latest entries of the state: a fork has those of its remote chain where it has none itself. */
export class EntryOrigins {
  readonly #source: LedgerSource;

  constructor(source: LedgerSource) {
    this.#source = source;
  }

  /** Returns true if balance, nonce and hash of the code of an account are those of the remote chain. */
  isRemoteAccount(address: Address): boolean {
    return this.#isRemote(stateKey.account(address));
  }

  /** Returns true if the value of a slot is that of the remote chain. */
  isRemoteSlot(address: Address, slot: Hash): boolean {
    return this.#isRemote(stateKey.storage(address, slot));
  }

  /** Returns true if the code at an address has come from the remote chain; undefined without code. */
  isRemoteCode(address: Address): boolean | undefined {
    const codeHash = this.#source.origin.state.reading.engine.accountState(address)?.codeHash;
    return codeHash && this.#isRemote(stateKey.code(codeHash));
  }

  #isRemote(key: Uint8Array): boolean {
    const { origin, store } = this.#source;
    return origin.rules.base !== undefined && store.state(key) === undefined;
  }
}
