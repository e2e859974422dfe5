import { BLOCK_NUMBER_MAX, INSTANCE_MAX, OPERATION_INDEX_MAX } from '../../consensus.ts';
import { type Address, invariant, type OperationHash } from '../../protocol/index.ts';

/** Bytes of a block number or an operation index in a key. */
const NUMBER_BYTES = 4;

/** Whether a value can be a block number. */
export function isBlockNumber(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= BLOCK_NUMBER_MAX;
}

/** Whether a value can be the index of an operation in a block. */
export function isOperationIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= OPERATION_INDEX_MAX;
}

/** Key of a block: its number in 4 bytes. */
export function blockKey(number: number): Uint8Array {
  const key = new Uint8Array(NUMBER_BYTES);
  writeUint32(key, 0, number);
  return key;
}

/** Key of what belongs to an operation: block number and operation index, 8 bytes. */
export function positionKey(number: number, operationIndex: number): Uint8Array {
  const key = new Uint8Array(2 * NUMBER_BYTES);
  writeUint32(key, 0, number);
  writeUint32(key, NUMBER_BYTES, operationIndex);
  return key;
}

/** Key of one position of an operation hash: the hash, block number and operation index, 28 bytes. */
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

/** What an address has to do with operations: the second part of its keys. */
const SENT = 0;
const OTHERWISE = 1;

/** Bytes of a key of an operation of an address. */
const ADDRESS_OPERATION_KEY_BYTES = 29;
/** Bytes of the operation hash in front of each receipt. */
export const OPERATION_HASH_BYTES = 20;

/** The key under which an operation stands for an address that it has to do with, 29 bytes. */
export function addressOperationKey(
  address: Address,
  isSender: boolean,
  number: number,
  operationIndex: number,
): Uint8Array {
  const key = new Uint8Array(ADDRESS_OPERATION_KEY_BYTES);
  key.set(address);
  key[address.length] = isSender ? SENT : OTHERWISE;
  writeUint32(key, address.length + 1, number);
  writeUint32(key, address.length + 1 + NUMBER_BYTES, operationIndex);
  return key;
}

/** Where the operation of such a key stands. */
export function positionOfAddressKey(key: Uint8Array): { readonly block: number; readonly index: number } {
  const start = ADDRESS_OPERATION_KEY_BYTES - 2 * NUMBER_BYTES;
  return { block: readUint32(key, start), index: readUint32(key, start + NUMBER_BYTES) };
}

/** The least key that is greater than every key with this prefix, `undefined` when there is none. */
export function afterPrefix(prefix: Uint8Array): Uint8Array | undefined {
  const last = prefix.findLastIndex((byte) => byte !== 0xff);
  if (last === -1) return undefined;
  const end = prefix.slice(0, last + 1);
  end[last] = (end[last] ?? 0) + 1;
  return end;
}

/** Writes a number below 2^32, big-endian. */
export function writeUint32(target: Uint8Array, offset: number, value: number): void {
  target[offset] = value >>> 24;
  target[offset + 1] = value >>> 16;
  target[offset + 2] = value >>> 8;
  target[offset + 3] = value;
}

/** Reads a big-endian number of 4 bytes. */
export function readUint32(source: Uint8Array, offset: number): number {
  invariant(offset + 4 <= source.length, 'a stored number is shorter than 4 bytes');
  const high = ((source[offset] ?? 0) << 8) | (source[offset + 1] ?? 0);
  const low = ((source[offset + 2] ?? 0) << 8) | (source[offset + 3] ?? 0);
  return high * 2 ** 16 + low;
}

/** Writes the instance of an object identifier in 6 bytes, big-endian. */
export function writeInstance(target: Uint8Array, offset: number, instance: number): void {
  invariant(
    Number.isInteger(instance) && instance >= 0 && instance <= INSTANCE_MAX,
    `not an instance of an object: ${instance}`,
  );
  const high = Math.floor(instance / 2 ** 32);
  target[offset] = high >>> 8;
  target[offset + 1] = high;
  writeUint32(target, offset + 2, instance % 2 ** 32);
}

/** A count as its stored form: 8 bytes, big-endian. */
export function encodeCount(count: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(count));
  return bytes;
}

/** The count of a stored form. */
export function decodeCount(bytes: Uint8Array): number {
  invariant(bytes.length === 8, 'a stored count is not 8 bytes long');
  return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
}
