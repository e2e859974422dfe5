import { ETHEREUM_NONCE_MAX, TRANSACTION_BLOBS_MAX } from '../../consensus.ts';
import { type Address, concatBytes, type Hash, numberToBytes, toAddress, toHash } from '../bytes/bytes.ts';
import { GROUP_ORDER, HIGHEST_S } from '../curves/recovery.ts';
import { keccak256 } from '../hashing/hashes.ts';
import { DecodeError, locate, UnsupportedTransactionTypeError } from '../protocol-errors.ts';
import type { Authorization, AuthorizationList } from './authorization.ts';
import { encodeRlp, LIST, listOfRlp, RlpReader, rlpItemAt, STRING } from './rlp.ts';
import {
  type AccessList,
  type EthereumSignature,
  type EthereumTransaction,
  INVALID_SIGNATURE,
  NO_AUTHORIZATION,
  SET_CODE_CREATES,
} from './transaction.ts';

/** First bytes of the supported typed transactions (EIP-2718). */
export const ACCESS_LIST_TYPE = 1;
export const DYNAMIC_FEE_TYPE = 2;
export const BLOB_TYPE = 3;
export const SET_CODE_TYPE = 4;

/** First byte of the versioned hash of a commitment (EIP-4844). */
export const VERSIONED_HASH_VERSION = 1;

/** v of a legacy transaction without and with a chain id, where y is even (EIP-155). */
export const V_UNPROTECTED = 27n;
export const V_PROTECTED = 35n;

const WORD_BITS = 256;
const COUNTER_BITS = 64;
const BYTE_BITS = 8;
const ADDRESS_BYTES = 20;
const SLOT_BYTES = 32;
const HASH_BYTES = 32;

/**
 * Reads a signed transaction of type 0 to 4, in its canonical form only: writing it gives the same bytes. Rules of a
 * chain, such as its id and fees, are not checked. The caller bounds the length; the result has read-only views of the
 * input.
 *
 * @throws {UnsupportedTransactionTypeError} for a transaction of another type
 * @throws {DecodeError} for any other bytes, with the field and the offset
 */
export function parseEthereumTransaction(raw: Uint8Array): EthereumTransaction {
  // A plain view: parts of a Buffer would be Buffers.
  const bytes = new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength);
  try {
    return readTransaction(bytes);
  } catch (error) {
    throw locate(error, 'transaction');
  }
}

function readTransaction(bytes: Uint8Array): EthereumTransaction {
  const [first] = bytes;
  if (first === undefined) throw new DecodeError('', 0, 'has no bytes');
  if (first >= LIST) return readLegacy(bytes);
  if (first === ACCESS_LIST_TYPE) return readAccessList(bytes);
  if (first === DYNAMIC_FEE_TYPE) return readDynamicFee(bytes);
  if (first === BLOB_TYPE) return readBlob(bytes);
  if (first === SET_CODE_TYPE) return readSetCode(bytes);
  if (first < STRING) throw new UnsupportedTransactionTypeError(first);
  throw new DecodeError('', 0, 'begins neither with a type nor with a list');
}

function readLegacy(bytes: Uint8Array): EthereumTransaction {
  const list = openList(bytes, 0);
  const start = list.offset;
  const nonce = readNonce(list);
  const gasPrice = list.readInteger('gasPrice', WORD_BITS);
  const target = readTarget(list, readReceiver);
  const fields = bytes.subarray(start, list.offset);
  const vOffset = list.offset;
  const v = list.readInteger('v', WORD_BITS);
  const numbers = readNumbers(list);
  const chainId = v >= V_PROTECTED ? (v - V_PROTECTED) / 2n : undefined;
  const isKnown = chainId === undefined ? v === V_UNPROTECTED || v === V_UNPROTECTED + 1n : chainId > 0n;
  if (!isKnown) throw list.failure('v', `${INVALID_SIGNATURE}: v of ${v}`, vOffset);
  const replayProtection = chainId === undefined ? [] : [numberToBytes(chainId), NOTHING, NOTHING];
  const signingHash = keccak256(listOfRlp([fields, ...replayProtection.map(encodeRlp)]));
  const base = chainId === undefined ? V_UNPROTECTED : V_PROTECTED;
  const yParity = (v - base) % 2n === 0n ? 0 : 1;
  const hash = keccak256(bytes);
  return { type: 'legacy', chainId, nonce, gasPrice, v, yParity, hash, signingHash, ...target, ...numbers };
}

/** The bytes of the number 0. */
const NOTHING = new Uint8Array();

function readAccessList(bytes: Uint8Array): EthereumTransaction {
  const list = openList(bytes, 1);
  const start = list.offset;
  const chainId = readChainId(list);
  const nonce = readNonce(list);
  const gasPrice = list.readInteger('gasPrice', WORD_BITS);
  const target = readTarget(list, readReceiver);
  const accessList = readAccesses(list.readList('accessList'));
  const signed = readSigned(bytes, list, start);
  return { type: 'accessList', chainId, nonce, gasPrice, accessList, ...target, ...signed };
}

function readDynamicFee(bytes: Uint8Array): EthereumTransaction {
  const list = openList(bytes, 1);
  const start = list.offset;
  const fields = readDynamicFields(list, readReceiver);
  return { type: 'dynamicFee', ...fields, ...readSigned(bytes, list, start) };
}

function readBlob(bytes: Uint8Array): EthereumTransaction {
  const list = openList(bytes, 1);
  const start = list.offset;
  const fields = readDynamicFields(list, (target) => readCallee(target, 'blob transaction of type create'));
  const maxFeePerBlobGas = list.readInteger('maxFeePerBlobGas', WORD_BITS);
  const blobVersionedHashes = readVersionedHashes(list);
  const signed = readSigned(bytes, list, start);
  return { type: 'blob', maxFeePerBlobGas, blobVersionedHashes, ...fields, ...signed };
}

/** Reads the fields that types 2 to 4 have in common. */
function readDynamicFields<T>(list: RlpReader, readTo: (list: RlpReader) => T) {
  const chainId = readChainId(list);
  const nonce = readNonce(list);
  const maxPriorityFeePerGas = list.readInteger('maxPriorityFeePerGas', WORD_BITS);
  const maxFeePerGas = list.readInteger('maxFeePerGas', WORD_BITS);
  const target = readTarget(list, readTo);
  const accessList = readAccesses(list.readList('accessList'));
  return { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, accessList, ...target };
}

/** Reads the hashes of 1 to `TRANSACTION_BLOBS_MAX` blobs (EIP-7594). */
function readVersionedHashes(list: RlpReader): Hash[] {
  const begin = list.offset;
  const items = list.readList('blobVersionedHashes');
  const hashes: Hash[] = [];
  while (items.hasMore) {
    const field = `blobVersionedHashes[${hashes.length}]`;
    const hash = toHash(readFixed(items, field, HASH_BYTES));
    if (hash[0] !== VERSIONED_HASH_VERSION) {
      throw items.failure(field, `blob ${hashes.length} has invalid hash version`, begin);
    }
    hashes.push(hash);
    if (hashes.length > TRANSACTION_BLOBS_MAX) {
      throw list.failure('blobVersionedHashes', 'blob transaction has too many blobs', begin);
    }
  }
  if (hashes.length > 0) return hashes;
  throw list.failure('blobVersionedHashes', 'blob transaction missing blob hashes', begin);
}

function readSetCode(bytes: Uint8Array): EthereumTransaction {
  const list = openList(bytes, 1);
  const start = list.offset;
  const fields = readDynamicFields(list, (target) => readCallee(target, SET_CODE_CREATES));
  const authorizationOffset = list.offset;
  const authorizationList = readAuthorizations(list.readList('authorizationList'));
  if (authorizationList.length === 0) {
    throw list.failure('authorizationList', NO_AUTHORIZATION, authorizationOffset);
  }
  return { type: 'setCode', ...fields, authorizationList, ...readSigned(bytes, list, start) };
}

function readAuthorizations(list: RlpReader): AuthorizationList {
  const entries: Authorization[] = [];
  try {
    while (list.hasMore) entries.push(readAuthorization(list.readList('')));
  } catch (error) {
    throw locate(locate(error, `[${entries.length}]`), 'authorizationList');
  }
  return entries;
}

/** Reads an authorization. Its signature may be invalid: execution skips the entry then (EIP-7702). */
function readAuthorization(entry: RlpReader): Authorization {
  const chainId = entry.readInteger('chainId', WORD_BITS);
  const address = toAddress(readFixed(entry, 'address', ADDRESS_BYTES));
  const nonce = entry.readInteger('nonce', COUNTER_BITS);
  const yParity = Number(entry.readInteger('yParity', BYTE_BITS));
  const r = entry.readInteger('r', WORD_BITS);
  const s = entry.readInteger('s', WORD_BITS);
  entry.finish('');
  return { chainId, address, nonce, yParity, r, s };
}

/** Opens the list of a transaction, which ends with the last byte. */
function openList(bytes: Uint8Array, offset: number): RlpReader {
  const whole = new RlpReader(bytes, offset);
  const list = whole.readList('');
  whole.finish('');
  return list;
}

function readChainId(list: RlpReader): bigint {
  const begin = list.offset;
  const chainId = list.readInteger('chainId', WORD_BITS);
  if (chainId === 0n) throw list.failure('chainId', 'must not be 0', begin);
  return chainId;
}

function readNonce(list: RlpReader): bigint {
  const begin = list.offset;
  const nonce = list.readInteger('nonce', COUNTER_BITS);
  if (nonce > ETHEREUM_NONCE_MAX) throw list.failure('nonce', 'nonce has max value', begin);
  return nonce;
}

/** Reads gas to data, which all types have in this order. */
function readTarget<T>(list: RlpReader, readTo: (list: RlpReader) => T) {
  return {
    gas: list.readInteger('gas', COUNTER_BITS),
    to: readTo(list),
    value: list.readInteger('value', WORD_BITS),
    data: list.readBytes('data'),
  };
}

function readReceiver(list: RlpReader): Address | undefined {
  const begin = list.offset;
  const bytes = list.readBytes('to');
  if (bytes.length !== 0 && bytes.length !== ADDRESS_BYTES) {
    throw list.failure('to', `must have 20 bytes or none, not ${bytes.length}`, begin);
  }
  return bytes.length === 0 ? undefined : toAddress(bytes);
}

/** Reads the receiver of a type that creates no contracts. @param problem with a creation */
function readCallee(list: RlpReader, problem: string): Address {
  const begin = list.offset;
  const to = readReceiver(list);
  if (to === undefined) throw list.failure('to', problem, begin);
  return to;
}

function readAccesses(list: RlpReader): AccessList {
  const entries: { address: Address; storageKeys: Hash[] }[] = [];
  try {
    while (list.hasMore) {
      const entry = list.readList('');
      const address = toAddress(readFixed(entry, 'address', ADDRESS_BYTES));
      const storageKeys = readStorageKeys(entry.readList('storageKeys'));
      entry.finish('');
      entries.push({ address, storageKeys });
    }
  } catch (error) {
    throw locate(locate(error, `[${entries.length}]`), 'accessList');
  }
  return entries;
}

function readStorageKeys(list: RlpReader): Hash[] {
  const keys: Hash[] = [];
  while (list.hasMore) keys.push(toHash(readFixed(list, `storageKeys[${keys.length}]`, SLOT_BYTES)));
  return keys;
}

function readFixed(list: RlpReader, field: string, length: number): Uint8Array {
  const begin = list.offset;
  const bytes = list.readBytes(field);
  if (bytes.length === length) return bytes;
  throw list.failure(field, `must have ${length} bytes, not ${bytes.length}`, begin);
}

/** Reads the signature of a typed transaction, of the type and the list up to here. */
function readSigned(bytes: Uint8Array, list: RlpReader, start: number) {
  const fields = bytes.subarray(start, list.offset);
  const parityOffset = list.offset;
  const v = list.readInteger('yParity', WORD_BITS);
  if (v !== 0n && v !== 1n) {
    throw list.failure('yParity', `${INVALID_SIGNATURE}: yParity of ${v}`, parityOffset);
  }
  const yParity: 0 | 1 = v === 0n ? 0 : 1;
  const numbers = readNumbers(list);
  const signingHash = keccak256(concatBytes(bytes.subarray(0, 1), listOfRlp([fields])));
  return { v, yParity, hash: keccak256(bytes), signingHash, ...numbers };
}

/** Reads r and s, the last fields of every type. */
function readNumbers(list: RlpReader): Pick<EthereumSignature, 'r' | 's'> {
  const rOffset = list.offset;
  const r = list.readInteger('r', WORD_BITS);
  const sOffset = list.offset;
  const s = list.readInteger('s', WORD_BITS);
  if (r === 0n || r >= GROUP_ORDER) {
    throw list.failure('r', `${INVALID_SIGNATURE}: r must be from 1 to the order less one`, rOffset);
  }
  if (s === 0n || s > HIGHEST_S) {
    throw list.failure('s', `${INVALID_SIGNATURE}: s must be from 1 to half the order`, sOffset);
  }
  list.finish('');
  return { r, s };
}

/** Greatest type of a typed transaction (EIP-2718): access list, dynamic fee, blobs, set code. */
const LAST_TYPE = 4;
/** Items of a transaction: an unsigned legacy one has the fewest, a signed one with blobs the most. */
const FEWEST_ITEMS = 6;
const MOST_ITEMS = 14;

/**
 * Names the kind of Ethereum transaction that refused bytes resemble: one RLP list of single items up to the last byte,
 * behind the type if there is one; undefined for other bytes.
 */
export function ethereumTransactionKind(bytes: Uint8Array): string | undefined {
  const [type = 0] = bytes;
  const isTyped = type >= 1 && type <= LAST_TYPE;
  const list = rlpItemAt(bytes, isTyped ? 1 : 0);
  if (!list.isList || list.end !== bytes.length) return undefined;
  let items = 0;
  for (let offset = list.start; offset < list.end; items += 1) {
    offset = rlpItemAt(bytes, offset).end;
    if (offset > list.end || items === MOST_ITEMS) return undefined;
  }
  if (items < FEWEST_ITEMS) return undefined;
  return isTyped ? `type ${type}` : 'legacy';
}
