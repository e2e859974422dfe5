import { BLOCK_NUMBER_MAX, INSTANCE_MAX, OPERATION_INDEX_MAX } from '../../consensus.ts';
import {
  type AccountId,
  type Address,
  type ContractId,
  concatBytes,
  type Hash,
  invariant,
  type OperationHash,
  readUint32,
  toAddress,
  toHash,
  writeUint32,
} from '../../protocol/index.ts';
import { STATE_TABLES } from './tables.ts';

/** Bytes of a block number or an operation index in a key. */
const NUMBER_BYTES = 4;

/** Returns true if a value can be a block number. */
export function isBlockNumber(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= BLOCK_NUMBER_MAX;
}

/** Returns true if a value can be the index of an operation in a block. */
export function isOperationIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= OPERATION_INDEX_MAX;
}

/** Writes the key of a block: its number in 4 bytes. */
export function blockKey(number: number): Uint8Array {
  const key = new Uint8Array(NUMBER_BYTES);
  writeUint32(key, 0, number);
  return key;
}

/** Writes the key of a record of an operation: block number and operation index, 8 bytes. */
export function positionKey(number: number, operationIndex: number): Uint8Array {
  const key = new Uint8Array(2 * NUMBER_BYTES);
  writeUint32(key, 0, number);
  writeUint32(key, NUMBER_BYTES, operationIndex);
  return key;
}

/** Writes the key of a position of an operation hash: the hash, block number and operation index, 28 bytes. */
export function operationPositionKey(
  hash: OperationHash,
  number: number,
  operationIndex: number,
): Uint8Array {
  const key = new Uint8Array(hash.length + 2 * NUMBER_BYTES);
  key.set(hash);
  writeUint32(key, hash.length, number);
  writeUint32(key, hash.length + NUMBER_BYTES, operationIndex);
  return key;
}

const ADDRESS_OPERATION_KEY_BYTES = 29;
/** Bytes of the operation hash in front of each receipt. */
export const OPERATION_HASH_BYTES = 20;

/** Writes the key of an operation that involves an address, 29 bytes. The byte 0 after the address marks its sender. */
export function addressOperationKey(
  address: Address,
  isSender: boolean,
  number: number,
  operationIndex: number,
): Uint8Array {
  const key = new Uint8Array(ADDRESS_OPERATION_KEY_BYTES);
  key.set(address);
  key[address.length] = isSender ? 0 : 1;
  writeUint32(key, address.length + 1, number);
  writeUint32(key, address.length + 1 + NUMBER_BYTES, operationIndex);
  return key;
}

/** Reads the position of the operation from such a key. */
export function positionOfAddressKey(key: Uint8Array): { readonly block: number; readonly index: number } {
  const start = ADDRESS_OPERATION_KEY_BYTES - 2 * NUMBER_BYTES;
  return { block: readUint32(key, start), index: readUint32(key, start + NUMBER_BYTES) };
}

/** Returns the least key after all keys with a prefix; undefined for none. */
export function afterPrefix(prefix: Uint8Array): Uint8Array | undefined {
  const last = prefix.findLastIndex((byte) => byte !== 0xff);
  if (last === -1) return undefined;
  const end = prefix.slice(0, last + 1);
  end[last] = (end[last] ?? 0) + 1;
  return end;
}

const COUNT_BYTES = 8;

/** Writes a count: 8 bytes, big-endian. */
export function encodeCount(count: number): Uint8Array {
  const bytes = new Uint8Array(COUNT_BYTES);
  writeUint32(bytes, 0, Math.floor(count / 2 ** 32));
  writeUint32(bytes, 4, count % 2 ** 32);
  return bytes;
}

/** Reads a count; 0 if it is not stored. */
export function decodeCount(bytes: Uint8Array | undefined): number {
  if (bytes === undefined) return 0;
  invariant(bytes.length === COUNT_BYTES, `a stored count is not ${COUNT_BYTES} bytes long`);
  return readUint32(bytes, 0) * 2 ** 32 + readUint32(bytes, 4);
}

const text = new TextEncoder();
const ADDRESS_BYTES = 20;
/** Bytes of `stateKey.storagePrefix`. */
export const STORAGE_PREFIX_BYTES = 1 + ADDRESS_BYTES;

/**
 * Constructors for the keys of the ledger's state: the number of a state table, then fixed-width, big-endian parts. The
 * entries of one table, and those of one contract's storage, are adjacent. The ledger defines the format of the values.
 */
export const stateKey = {
  /** An account's balance, nonce and code hash. 21 bytes. */
  account: (address: Address): Uint8Array => bytesKey(STATE_TABLES.account, address),

  /** A word of a contract's storage. 53 bytes. */
  storage: (address: Address, slot: Hash): Uint8Array =>
    concatBytes(Uint8Array.of(STATE_TABLES.storage), address, slot),

  /** The prefix of all keys of a contract's storage. 21 bytes. */
  storagePrefix: (address: Address): Uint8Array => bytesKey(STATE_TABLES.storage, address),

  /** Returns the address of an entry of an account or of a contract's storage; undefined for any other entry. */
  addressIn(key: Uint8Array): Address | undefined {
    const isOfAddress = key[0] === STATE_TABLES.account || key[0] === STATE_TABLES.storage;
    return isOfAddress ? toAddress(key.slice(1, 1 + ADDRESS_BYTES)) : undefined;
  },

  /** Returns the slot of an entry of a contract's storage; undefined for any other entry. */
  slotIn: (key: Uint8Array): Hash | undefined =>
    key[0] === STATE_TABLES.storage ? toHash(key.slice(1 + ADDRESS_BYTES)) : undefined,

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

  /** The single entry with the counters of the ledger. 1 byte. */
  counters: (): Uint8Array => Uint8Array.of(STATE_TABLES.counters),

  /** The root of the trie of accounts, and the prefix of its other records. 1 byte. */
  accountTrie: (): Uint8Array => Uint8Array.of(STATE_TABLES.accountTrie),

  /** The root of the trie of an account's storage, and the prefix of its other records. 33 bytes. */
  storageTrie: (addressHash: Hash): Uint8Array => bytesKey(STATE_TABLES.storageTrie, addressHash),

  /** The prefix of all records of the tries of storage. 1 byte. */
  allStorageTries: (): Uint8Array => Uint8Array.of(STATE_TABLES.storageTrie),

  /** Returns true for a record of a trie, which is derived from the other entries. */
  isOfTrie: (key: Uint8Array): boolean => (key[0] ?? 0) >= STATE_TABLES.accountTrie,
} as const;

function bytesKey(table: number, bytes: Uint8Array): Uint8Array {
  const key = new Uint8Array(1 + bytes.length);
  key[0] = table;
  key.set(bytes, 1);
  return key;
}

/** Writes the number of a state table, and the instance of an object identifier in 6 bytes, big-endian. */
function instanceKey(table: number, instance: number): Uint8Array {
  invariant(
    Number.isInteger(instance) && instance >= 0 && instance <= INSTANCE_MAX,
    `not an instance of an object: ${instance}`,
  );
  const key = new Uint8Array(7);
  key[0] = table;
  new DataView(key.buffer).setUint16(1, Math.floor(instance / 2 ** 32));
  writeUint32(key, 3, instance % 2 ** 32);
  return key;
}
