import { type AccountId, type Address, type ContractId, type Hash, toAddress } from '../../protocol/index.ts';
import { writeInstance } from './record-keys.ts';
import { STATE_TABLES } from './tables.ts';

const text = new TextEncoder();
const ADDRESS_BYTES = 20;

/**
 * Constructors for the keys of the ledger's state: the number of a state table, then fixed-width, big-endian
 * parts, so that the entries of one table, and those of one contract's storage, lie side by side. What the
 * entries' values look like is decided by the ledger.
 */
export const stateKey = {
  /** An account's balance, nonce and code hash. 21 bytes. */
  account: (address: Address): Uint8Array => bytesKey(STATE_TABLES.account, address),

  /** A word of a contract's storage. 53 bytes. */
  storage(address: Address, slot: Hash): Uint8Array {
    const key = new Uint8Array(1 + address.length + slot.length);
    key[0] = STATE_TABLES.storage;
    key.set(address, 1);
    key.set(slot, 1 + address.length);
    return key;
  },

  /** The prefix of all keys of a contract's storage. 21 bytes. */
  storagePrefix: (address: Address): Uint8Array => bytesKey(STATE_TABLES.storage, address),

  /** The address whose account, or whose storage, an entry belongs to; undefined of any other entry. */
  addressIn(key: Uint8Array): Address | undefined {
    const isOfAddress = key[0] === STATE_TABLES.account || key[0] === STATE_TABLES.storage;
    return isOfAddress ? toAddress(key.slice(1, 1 + ADDRESS_BYTES)) : undefined;
  },

  /** Code by its hash. 33 bytes. */
  code: (codeHash: Hash): Uint8Array => bytesKey(STATE_TABLES.code, codeHash),

  /** A native account. 7 bytes. */
  nativeAccount: (id: AccountId): Uint8Array => instanceKey(STATE_TABLES.nativeAccount, id),

  /** The account that has this name. 1 byte and the name in UTF-8. */
  accountName: (name: string): Uint8Array => bytesKey(STATE_TABLES.accountName, text.encode(name)),

  /** The address of a contract. 7 bytes. */
  contractAddress: (id: ContractId): Uint8Array => instanceKey(STATE_TABLES.contractAddress, id),

  /** The contract at an address. 21 bytes. */
  contractId: (address: Address): Uint8Array => bytesKey(STATE_TABLES.contractId, address),

  /** The account that registered an EVM address. 21 bytes. */
  evmAddress: (address: Address): Uint8Array => bytesKey(STATE_TABLES.evmAddress, address),

  /** The one entry for what the ledger counts. 1 byte. */
  counters: (): Uint8Array => Uint8Array.of(STATE_TABLES.counters),
} as const;

function bytesKey(table: number, bytes: Uint8Array): Uint8Array {
  const key = new Uint8Array(1 + bytes.length);
  key[0] = table;
  key.set(bytes, 1);
  return key;
}

function instanceKey(table: number, instance: number): Uint8Array {
  const key = new Uint8Array(7);
  key[0] = table;
  writeInstance(key, 1, instance);
  return key;
}
