import { type Address, bytesToHex, equalBytes, type Trie, toHash } from '../../protocol/index.ts';
import { type StoreReader, stateKey } from '../../store/index.ts';
import { stateTrieRootOf, storedBlock } from '../chain/records.ts';
import { ChainDamagedError, readStored } from '../errors/chain-errors.ts';
import type { StateRules } from '../state/state-rules.ts';
import { accountTrie, isInStateTrie, isSlotInTrie, stateTrieRoot, storageTrie } from '../state/state-trie.ts';

/** Length of the key of the root of a trie of storage; its end is the hash of the address. */
const STORAGE_ROOT_KEY_BYTES = 33;

/** Numbers of entries. */
interface TrieCount {
  records: number;
  leaves: number;
}

/**
 * Checks the newest state trie of a chain: every record has the hash that its parent or the head states, every account
 * and slot of the state has its leaf, and no other record or leaf exists.
 *
 * @param onEntry called after each entry
 * @throws ChainDamagedError with the difference, as the store, and errors of the callback
 */
export function* verifyStateTrie(
  store: StoreReader,
  rules: Pick<StateRules, 'weiPerUnit'>,
  onEntry: () => void,
): Generator<void, void> {
  const check = new TrieCheck(store, rules, onEntry);
  const accounts = yield* check.count(() => accountTrie(store));
  checkHeader(store);
  const storage: TrieCount = { records: 0, leaves: 0 };
  for (const { key } of store.stateEntries(stateKey.allStorageTries())) {
    if (key.length !== STORAGE_ROOT_KEY_BYTES) continue;
    const { records, leaves } = yield* check.count(() => storageTrie(store, toHash(key.slice(1))));
    storage.records += records;
    storage.leaves += leaves;
  }
  const state = yield* check.compareState();
  expectSame('accounts', accounts.leaves, state.accounts);
  expectSame('slots', storage.leaves, state.slots);
  expectSame('records', state.records, accounts.records + storage.records);
}

/** Compares the root of the trie with that of the head, unless patches have changed the state since. */
function checkHeader(store: StoreReader): void {
  const head = store.head() ?? 0;
  const block = storedBlock(store, head);
  if (block === undefined || store.patchCount(head) > 0) return;
  const given = stateTrieRootOf(block.header);
  const found = bytesToHex(stateTrieRoot(store));
  if (given === found) return;
  throw new ChainDamagedError(
    `the root of the state trie in block ${head} is ${given}, and the trie has ${found}`,
  );
}

function expectSame(what: string, inTrie: number, inState: number): void {
  if (inTrie === inState) return;
  throw new ChainDamagedError(`the state trie has ${inTrie} ${what}, and the state ${inState}`);
}

/** A check of the tries of a state. */
class TrieCheck {
  readonly #store: StoreReader;
  readonly #rules: Pick<StateRules, 'weiPerUnit'>;
  readonly #onEntry: () => void;

  constructor(store: StoreReader, rules: Pick<StateRules, 'weiPerUnit'>, onEntry: () => void) {
    this.#store = store;
    this.#rules = rules;
    this.#onEntry = onEntry;
  }

  /** Counts the records and leaves of a trie, and checks their hashes. */
  *count(open: () => Trie): Generator<void, TrieCount> {
    const count: TrieCount = { records: 0, leaves: 0 };
    const parts = readStored('a root of the state trie', open).scan();
    for (;;) {
      const { done, value } = readStored('a record of the state trie', () => parts.next());
      if (done === true) return count;
      if (value === 'leaf') count.leaves += 1;
      else count.records += 1;
      yield this.#onEntry();
    }
  }

  /** Looks up all accounts and slots of the state in the trie. Returns their numbers, and that of the records. */
  *compareState() {
    const found = { accounts: 0, slots: 0, records: 0 };
    let previous: Address | undefined;
    for (const { key, value } of this.#store.stateEntries()) {
      const address = stateKey.addressIn(key);
      const slot = stateKey.slotIn(key);
      if (stateKey.isOfTrie(key)) found.records += 1;
      else if (address !== undefined && slot === undefined) this.#compareAccount(address, value, found);
      else if (address !== undefined && slot !== undefined) {
        // The slots of an address follow each other.
        const isFirst = previous === undefined || !equalBytes(previous, address);
        previous = address;
        const hasEntry = !isFirst || this.#store.state(stateKey.account(address)) !== undefined;
        if (!hasEntry) this.#compareAccount(address, undefined, found);
        const isSame = readStored('the state trie', () => isSlotInTrie(this.#store, address, slot, value));
        if (!isSame) throw differs(address, `, slot 0x${bytesToHex(slot)}`);
        found.slots += 1;
      }
      yield this.#onEntry();
    }
    return found;
  }

  #compareAccount(address: Address, record: Uint8Array | undefined, found: { accounts: number }): void {
    const isSame = readStored('the state trie', () =>
      isInStateTrie(this.#store, address, record, this.#rules),
    );
    if (isSame === undefined) return;
    if (!isSame) throw differs(address);
    found.accounts += 1;
  }
}

function differs(address: Address, part = ''): ChainDamagedError {
  return new ChainDamagedError(`the state trie differs from the state at 0x${bytesToHex(address)}${part}`);
}
