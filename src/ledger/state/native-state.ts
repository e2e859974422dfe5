import {
  type AccountId,
  type Address,
  accountIdCodec,
  accumulateChanges,
  addressCodec,
  type BlockHeader,
  bytesToHex,
  type Codec,
  type ContractId,
  contractIdCodec,
  decode,
  encode,
  type Hash,
  invariant,
  LatticeAccumulator,
  toAddress,
} from '../../protocol/index.ts';
import { type ChainReader, type StateChange, type StateEntry, stateKey } from '../../store/index.ts';
import {
  type Account,
  accountCodec,
  type DynamicProperties,
  dynamicPropertiesCodec,
} from '../chain/records.ts';
import { StateTable, type StateTableDefinition, UndoLog } from './state-table.ts';

/** Cached native records of one kind. */
const NATIVE_CACHE_ENTRIES_MAX = 10_000;

/** Digits of the state root in a block's `vm_root`; the digest of the receipts follows. */
export const ROOT_DIGITS = 64;

/** The commitment to the whole state after some changes to it. */
export interface StateCommitment {
  /** State of the lattice accumulator, 2,048 bytes, for the next block. */
  readonly accumulator: Uint8Array;
  readonly root: Hash;
}

/**
 * Applies changes to the lattice hash of the state. The root depends on the content of the state alone, not on
 * the order or the history of changes.
 */
export function commitChanges(
  previous: Uint8Array | undefined,
  changes: readonly StateChange[],
): StateCommitment {
  const { state, digest } = accumulateChanges(previous, changes);
  return { accumulator: state, root: digest };
}

/** Computes the root of a whole state from a scan of all its entries, with or without those of its trie. */
export function rootOfEntries(entries: Iterable<StateEntry>): Hash {
  const lattice = new LatticeAccumulator();
  for (const { key, value } of entries) if (!stateKey.isOfTrie(key)) lattice.add(key, value);
  return lattice.digest();
}

/** Returns the root of the state after a block from its header, in hexadecimal. */
export function stateRootOf({ vmRoot: [root = ''] }: Pick<BlockHeader, 'vmRoot'>): string {
  return root.slice(0, ROOT_DIGITS);
}

/**
 * The native half of the ledger's state: account objects, their names and EVM addresses, the directory of
 * contracts, and the counters that identifiers are taken from.
 */
export class NativeState {
  readonly #undo = new UndoLog();
  readonly #accounts: StateTable<AccountId, Account>;
  readonly #names: StateTable<string, AccountId>;
  readonly #evmAddresses: StateTable<string, AccountId>;
  readonly #contractAddresses: StateTable<ContractId, Address>;
  readonly #contractIds: StateTable<string, ContractId>;
  readonly #properties: StateTable<'properties', DynamicProperties>;
  readonly #tables: readonly Pick<
    StateTable<string, unknown>,
    'addChanges' | 'settle' | 'discard' | 'clear'
  >[];

  constructor(store: Pick<ChainReader, 'state'>) {
    const table = <Key extends string | number, Value>(definition: StateTableDefinition<Key, Value>) =>
      new StateTable(definition, (key) => store.state(key), this.#undo, NATIVE_CACHE_ENTRIES_MAX);
    this.#accounts = table({ keyBytes: stateKey.nativeAccount, ...storedAs(accountCodec) });
    this.#names = table({ keyBytes: stateKey.accountName, ...storedAs(accountIdCodec) });
    this.#evmAddresses = table({
      keyBytes: (hex) => stateKey.evmAddress(hexAddress(hex)),
      ...storedAs(accountIdCodec),
    });
    this.#contractAddresses = table({ keyBytes: stateKey.contractAddress, ...storedAs(addressCodec) });
    this.#contractIds = table({
      keyBytes: (hex) => stateKey.contractId(hexAddress(hex)),
      ...storedAs(contractIdCodec),
    });
    this.#properties = table({ keyBytes: () => stateKey.counters(), ...storedAs(dynamicPropertiesCodec) });
    this.#tables = [
      this.#accounts,
      this.#names,
      this.#evmAddresses,
      this.#contractAddresses,
      this.#contractIds,
      this.#properties,
    ];
  }

  account(id: AccountId): Account | undefined {
    return this.#accounts.get(id);
  }

  accountByName(name: string): AccountId | undefined {
    return this.#names.get(name);
  }

  accountByEvmAddress(address: Address): AccountId | undefined {
    return this.#evmAddresses.get(bytesToHex(address));
  }

  contractAddress(id: ContractId): Address | undefined {
    return this.#contractAddresses.get(id);
  }

  contractId(address: Address): ContractId | undefined {
    return this.#contractIds.get(bytesToHex(address));
  }

  /** The record of properties, or undefined before the genesis block. */
  get storedProperties(): DynamicProperties | undefined {
    return this.#properties.get('properties');
  }

  get properties(): DynamicProperties {
    const properties = this.storedProperties;
    invariant(properties !== undefined, 'a chain has dynamic properties from its genesis on');
    return properties;
  }

  /** Instance of the first contract that is created after the last stored block. */
  get firstContractOfBlock(): number {
    return this.#properties.original('properties')?.nextContract ?? 0;
  }

  setProperties(properties: DynamicProperties): void {
    this.#properties.set('properties', properties);
  }

  /** Creates or replaces an account and keeps its name and EVM address findable. */
  setAccount(id: AccountId, account: Account): void {
    this.#accounts.set(id, account);
    if (this.#names.get(account.name) !== id) this.#names.set(account.name, id);
    if (account.evmAddress !== undefined && this.accountByEvmAddress(account.evmAddress) !== id) {
      this.#evmAddresses.set(bytesToHex(account.evmAddress), id);
    }
  }

  /** Enters a contract into the directory, both ways. */
  setContract(id: ContractId, address: Address): void {
    this.#contractAddresses.set(id, address);
    this.#contractIds.set(bytesToHex(address), id);
  }

  mark(): number {
    return this.#undo.mark();
  }

  revertTo(mark: number): void {
    this.#undo.revertTo(mark);
  }

  /** Adds every record that differs from the store to a list. */
  addChanges(changes: StateChange[]): void {
    for (const table of this.#tables) table.addChanges(changes);
  }

  settle(): void {
    this.#undo.clear();
    for (const table of this.#tables) table.settle();
  }

  discard(): void {
    this.#undo.clear();
    for (const table of this.#tables) table.discard();
  }

  clear(): void {
    this.#undo.clear();
    for (const table of this.#tables) table.clear();
  }
}

const hexAddress = (hex: string): Address => toAddress(Buffer.from(hex, 'hex'));

/** Returns the encoding and decoding of a record by its codec. */
function storedAs<Value>(codec: Codec<Value>): {
  encode: (value: Value) => Uint8Array;
  decode: (bytes: Uint8Array) => Value;
} {
  return { encode: (value) => encode(codec, value), decode: (bytes) => decode(codec, bytes) };
}
