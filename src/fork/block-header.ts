import { encodeRlp, equalBytes, type Hash, keccak256, numberToBytes } from '../protocol/index.ts';
import { dataOf, type JsonObject, quantityOf } from './forms.ts';

/** A field of a header in RLP: a number, or bytes of a length. */
type FieldForm = readonly [name: string, form: 'number' | 'bytes' | { readonly length: number }];

const HASH = { length: 32 };

/** The fields of every header, in their order. */
const FIELDS: readonly FieldForm[] = [
  ['parentHash', HASH],
  ['sha3Uncles', HASH],
  ['miner', { length: 20 }],
  ['stateRoot', HASH],
  ['transactionsRoot', HASH],
  ['receiptsRoot', HASH],
  ['logsBloom', { length: 256 }],
  ['difficulty', 'number'],
  ['number', 'number'],
  ['gasLimit', 'number'],
  ['gasUsed', 'number'],
  ['timestamp', 'number'],
  ['extraData', 'bytes'],
  ['mixHash', HASH],
  ['nonce', { length: 8 }],
];

/** The fields that hard forks have added, in their order: London, Shanghai, Cancun (3), Prague, Amsterdam (2). */
const LATER_FIELDS: readonly FieldForm[] = [
  ['baseFeePerGas', 'number'],
  ['withdrawalsRoot', HASH],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', HASH],
  ['requestsHash', HASH],
  ['blockAccessListHash', HASH],
  ['slotNumber', 'number'],
];

/**
 * Returns the fields of a block object that its hash covers: all known ones up to some fork, since nodes add fields to
 * their objects. Undefined if the hash is that of no such header, as on chains with other headers.
 *
 * @throws {RemoteDataError} for a field with a wrong form
 */
export function headerOf(block: JsonObject, hash: Hash): JsonObject | undefined {
  const first = FIELDS.map((field) => itemOf(block, field));
  const last = LATER_FIELDS.findLastIndex(([name]) => isPresent(block, name));
  // A field that a chain skips, but not a later one, is empty.
  const later = LATER_FIELDS.map((field) =>
    isPresent(block, field[0]) ? itemOf(block, field) : new Uint8Array(),
  );
  for (let count = last + 1; count >= 0; count -= 1) {
    if (!equalBytes(keccak256(encodeRlp([...first, ...later.slice(0, count)])), hash)) continue;
    const names = [...FIELDS, ...LATER_FIELDS.slice(0, count)].map(([name]) => name);
    return Object.fromEntries(names.map((name) => [name, block[name]]));
  }
  return undefined;
}

/** Returns the hash of a block object with these fields. @throws {RemoteDataError} for a field with a wrong form */
export function headerHashOf(block: JsonObject): Hash {
  const later = LATER_FIELDS.filter(([name]) => isPresent(block, name));
  return keccak256(encodeRlp([...FIELDS, ...later].map((field) => itemOf(block, field))));
}

function isPresent(block: JsonObject, name: string): boolean {
  return block[name] !== undefined && block[name] !== null;
}

function itemOf(block: JsonObject, [name, form]: FieldForm): Uint8Array {
  if (form === 'number') return numberToBytes(quantityOf(block[name], `${name} of a block`));
  return dataOf(block[name], `${name} of a block`, form === 'bytes' ? undefined : form.length);
}
