import {
  type AccountId,
  type Address,
  addressOwner,
  type ContractId,
  type Hash,
} from '../../protocol/index.ts';
import { stateKey } from '../../store/index.ts';
import type { Account } from '../chain/records.ts';
import { HistoryDisabledError } from '../errors/chain-errors.ts';
import { type Receiver, receiverAt, requireNotEvmAddress } from '../operations/receiver.ts';
import type { NativeState } from '../state/native-state.ts';
import type { PastStateReader } from '../state/past-state.ts';
import { type Proof, proveAccount, proveSlot, type TrieAccount } from '../state/state-trie.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { LedgerSource } from './ledger-source.ts';

/** The accounts and contracts of a state: balances, code, storage, names and identifiers. */
export class AccountQueries {
  readonly #source: LedgerSource;

  constructor(source: LedgerSource) {
    this.#source = source;
  }

  get #state(): WorkingState {
    return this.#source.origin.state.reading;
  }

  get #reads(): Pick<PastStateReader, 'balanceOf' | 'codeAt' | 'storageAt'> {
    return this.#source.past ?? this.#state;
  }

  get #native(): NativeState {
    return (this.#source.past ?? this.#state).native;
  }

  /** Returns the balance in whole units of the core asset. */
  balanceOf(address: Address): bigint {
    return this.#reads.balanceOf(address);
  }

  /** Returns the balance in wei, as in the EVM; one wei is one native unit on chains without Ethereum. */
  weiBalanceOf(address: Address): bigint {
    const { past } = this.#source;
    return past === undefined ? this.#state.engine.balanceOf(address) : past.weiBalanceOf(address);
  }

  /** Returns the number of included Ethereum transactions of a key, or the nonce of a contract (EIP-161). */
  nonceOf(address: Address): bigint {
    const { past } = this.#source;
    return past === undefined
      ? (this.#state.engine.accountState(address)?.nonce ?? 0n)
      : past.nonceOf(address);
  }

  /** Returns contract code; empty for none. */
  codeAt(address: Address): Uint8Array {
    return this.#reads.codeAt(address);
  }

  /** Returns contract code by its hash; undefined for an unknown hash. */
  codeByHash(codeHash: Hash): Uint8Array | undefined {
    return this.#source.store.state(stateKey.code(codeHash));
  }

  /** Returns a 32-byte word of a contract's storage; zero if nothing is stored. */
  storageAt(address: Address, slot: Hash): Uint8Array {
    return this.#reads.storageAt(address, slot);
  }

  /** Returns true if an address has storage; undefined if too many slots have changed since a past state. */
  hasStorage(address: Address): boolean | undefined {
    return this.#source.store.hasState(stateKey.storagePrefix(address));
  }

  /** Proves an account, or its absence, by the state trie; only on a chain with it. */
  prove(address: Address): Proof<TrieAccount> {
    return proveAccount(this.#source.store, address);
  }

  /** Proves a slot of an account's storage, or its absence, by the state trie; only on a chain with it. */
  proveSlot(address: Address, slot: Hash): Proof<Uint8Array> {
    return proveSlot(this.#source.store, address, slot);
  }

  /** True if the store counts the operations that addresses paid for. */
  get hasHistory(): boolean {
    return this.#source.store.history;
  }

  /** Counts the included operations that the address paid for. Throws `HistoryDisabledError`. */
  operationCount(address: Address): number {
    if (!this.hasHistory) throw new HistoryDisabledError();
    return this.#source.store.operationCount(address);
  }

  account(id: AccountId): Account | undefined {
    return this.#native.account(id);
  }

  accountByAddress(address: Address): Account | undefined {
    const owner = addressOwner(address);
    return owner.kind === 'account' ? this.account(owner.id) : undefined;
  }

  accountByName(name: string): AccountId | undefined {
    return this.#native.accountByName(name);
  }

  accountByEvmAddress(address: Address): AccountId | undefined {
    return this.#native.accountByEvmAddress(address);
  }

  contractIdAt(address: Address): ContractId | undefined {
    return this.#native.contractId(address);
  }

  readonly contractAddressOf = (id: ContractId): Address | undefined => this.#native.contractAddress(id);

  /** Number of all contracts so far, which is the instance of the next one. */
  get contractCount(): number {
    return this.#state.native.properties.nextContract;
  }

  /** Returns the receiver at an address. Throws `RefusedError` if there is none. */
  receiverAt(address: Address): Receiver {
    return receiverAt(this.#state, address);
  }

  /** Throws `RefusedError` for an address that is only the registered EVM address of an account. */
  requireNotEvmAddress(address: Address): void {
    requireNotEvmAddress(this.#native, address);
  }
}
