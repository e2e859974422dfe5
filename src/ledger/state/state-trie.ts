import type { AccountState } from '../../evm/index.ts';
import {
  type Address,
  bytesToHex,
  bytesToNumber,
  EMPTY_TRIE_ROOT,
  encodeRlp,
  equalBytes,
  type Hash,
  keccak256,
  numberToBytes,
  RlpReader,
  Trie,
  type TrieRecords,
  toHash,
} from '../../protocol/index.ts';
import { type ChainReader, type StateChange, stateKey } from '../../store/index.ts';
import { accountStateOf } from '../chain/records.ts';
import type { StateRules } from './state-rules.ts';

/** Keccak-256 of no bytes: the code hash of an account without code. */
const EMPTY_CODE_HASH = keccak256(new Uint8Array());

/** Entries of the state by key. */
type StateEntries = Pick<ChainReader, 'state'>;

/** An account in the state trie: the leaf of its hashed address (yellow paper, section 4.1). */
export interface TrieAccount {
  readonly nonce: bigint;
  /** In wei. */
  readonly balance: bigint;
  readonly storageRoot: Hash;
  readonly codeHash: Hash;
}

/** An account that is not in the trie, as clients show it. */
const NO_TRIE_ACCOUNT: TrieAccount = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
};

/** The nodes from a root to a key, in RLP (EIP-1186), and the value of the key. */
export interface Proof<Value> {
  readonly value: Value;
  readonly nodes: readonly Uint8Array[];
}

/** The root of the state trie after some changes, and the changes of its records. */
export interface StateTrieCommit {
  readonly root: Hash;
  readonly changes: readonly StateChange[];
}

/** The changes of one address. */
interface AddressChanges {
  readonly address: Address;
  /** Null if the account is unchanged, undefined if it was removed. */
  account: Uint8Array | undefined | null;
  readonly slots: { readonly slot: Uint8Array; readonly value: Uint8Array | undefined }[];
}

function recordsOf(store: StateEntries, prefix: Uint8Array): TrieRecords {
  return { prefix, read: (key) => store.state(key) };
}

/** Opens the trie of the accounts of a state. */
export function accountTrie(store: StateEntries): Trie {
  return new Trie(recordsOf(store, stateKey.accountTrie()));
}

/** Opens the trie of the storage of an account. */
export function storageTrie(store: StateEntries, addressHash: Hash): Trie {
  return new Trie(recordsOf(store, stateKey.storageTrie(addressHash)));
}

/**
 * Applies changes of the state to its trie, in a step for each entry, between which the store must not change: the
 * secure trie of Ethereum over all accounts with a nonce, a balance, code or storage. The records of the trie are
 * entries of the state that its lattice hash does not cover.
 *
 * @param store the state before the changes, with its trie
 */
export function* commitStateTrie(
  store: StateEntries,
  changes: readonly StateChange[],
  { weiPerUnit }: Pick<StateRules, 'weiPerUnit'>,
): Generator<void, StateTrieCommit> {
  const trie = accountTrie(store);
  const records: StateChange[] = [];
  for (const { address, account, slots } of byAddress(changes)) {
    const hash = keccak256(address);
    const storage = slots.length === 0 ? undefined : yield* commitStorage(store, hash, slots);
    for (const change of storage?.changes ?? []) records.push(change);
    trie.update(hash, (present) => {
      const before = present && decodeTrieAccount(present);
      const after = account === null ? before : account && accountStateOf(account, weiPerUnit);
      const storageRoot = storage?.root ?? before?.storageRoot ?? storageTrie(store, hash).commit().root;
      return leafOf(after, storageRoot);
    });
    yield;
  }
  const { root, changes: ofAccounts } = trie.commit();
  return { root, changes: [...records, ...ofAccounts] };
}

function byAddress(changes: readonly StateChange[]): Iterable<AddressChanges> {
  const found = new Map<string, AddressChanges>();
  for (const { key, after } of changes) {
    const address = stateKey.addressIn(key);
    if (address === undefined) continue;
    const name = bytesToHex(address);
    const known = found.get(name) ?? { address, account: null, slots: [] };
    found.set(name, known);
    const slot = stateKey.slotIn(key);
    if (slot === undefined) known.account = after;
    else known.slots.push({ slot, value: after });
  }
  return found.values();
}

function* commitStorage(
  store: StateEntries,
  addressHash: Hash,
  slots: AddressChanges['slots'],
): Generator<void, StateTrieCommit> {
  const trie = storageTrie(store, addressHash);
  for (const { slot, value } of slots) {
    trie.set(keccak256(slot), value && encodeRlp(value));
    yield;
  }
  return trie.commit();
}

const EMPTY_STATE: AccountState = { nonce: 0n, balance: 0n, codeHash: undefined };

/**
 * Returns the leaf of an account; undefined for one that the trie does not contain. One that has storage alone, which
 * only tests can make, has a leaf, so that the trie agrees with reads.
 */
function leafOf(state: AccountState = EMPTY_STATE, storageRoot: Hash): Uint8Array | undefined {
  const { nonce, balance, codeHash = EMPTY_CODE_HASH } = state;
  const isEmpty = nonce === 0n && balance === 0n && equalBytes(codeHash, EMPTY_CODE_HASH);
  if (isEmpty && equalBytes(storageRoot, EMPTY_TRIE_ROOT)) return undefined;
  return encodeRlp([numberToBytes(nonce), numberToBytes(balance), storageRoot, codeHash]);
}

function decodeTrieAccount(leaf: Uint8Array): TrieAccount {
  const fields = new RlpReader(leaf).readList('account');
  return {
    nonce: bytesToNumber(fields.readBytes('nonce')),
    balance: bytesToNumber(fields.readBytes('balance')),
    storageRoot: toHash(fields.readBytes('storage root').slice()),
    codeHash: toHash(fields.readBytes('code hash').slice()),
  };
}

/** Returns the root of the state trie. */
export function stateTrieRoot(store: StateEntries): Hash {
  return accountTrie(store).commit().root;
}

/** Proves an account, or its absence. */
export function proveAccount(store: StateEntries, address: Address): Proof<TrieAccount> {
  const trie = accountTrie(store);
  const hash = keccak256(address);
  const leaf = trie.get(hash);
  return { value: leaf === undefined ? NO_TRIE_ACCOUNT : decodeTrieAccount(leaf), nodes: trie.prove(hash) };
}

/** Proves a slot of an account's storage, or its absence. The value has no leading zeros. */
export function proveSlot(store: StateEntries, address: Address, slot: Hash): Proof<Uint8Array> {
  const trie = storageTrie(store, keccak256(address));
  const key = keccak256(slot);
  const item = trie.get(key);
  const value = item === undefined ? new Uint8Array() : new RlpReader(item).readBytes('value');
  return { value, nodes: trie.prove(key) };
}

/**
 * Returns true if the state trie has the leaf of an account's entry in the state; undefined if it should not.
 * @param record the entry; undefined: none, for an account that has storage alone
 */
export function isInStateTrie(
  store: StateEntries,
  address: Address,
  record: Uint8Array | undefined,
  { weiPerUnit }: Pick<StateRules, 'weiPerUnit'>,
): boolean | undefined {
  const hash = keccak256(address);
  const expected = leafOf(
    record && accountStateOf(record, weiPerUnit),
    storageTrie(store, hash).commit().root,
  );
  if (expected === undefined) return undefined;
  const leaf = accountTrie(store).get(hash);
  return leaf !== undefined && equalBytes(leaf, expected);
}

/** Returns true if the trie of an account's storage has a slot of the state. @param value without leading zeros */
export function isSlotInTrie(store: StateEntries, address: Address, slot: Hash, value: Uint8Array): boolean {
  const leaf = storageTrie(store, keccak256(address)).get(keccak256(slot));
  return leaf !== undefined && equalBytes(leaf, encodeRlp(value));
}
