/** Another implementation of the ledger's signatures, and the parts of ours, to compare them. */
import { readFileSync } from 'node:fs';
import { eddsa } from '@noble/curves/abstract/edwards.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha3_512 } from '@noble/hashes/sha3.js';
import { concatBytes, hexToBytes, invariant } from '../index.ts';

/** The prime of the field, and the order of the base point. */
export const PRIME = 2n ** 255n - 19n;
export const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

export const { Point } = ed25519;
export type CurvePoint = InstanceType<typeof Point>;

/** The signatures of noble-curves with this ledger's hash. */
export const oracle = eddsa(Point, sha3_512, { adjustScalarBytes });

/** RFC 8032, section 5.1.5, step 2. */
function adjustScalarBytes(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  copy[0] = (copy[0] ?? 0) & 0xf8;
  copy[31] = ((copy[31] ?? 0) & 0x7f) | 0x40;
  return copy;
}

/** A number as bytes, little endian. */
export function toLittleEndian(value: bigint, length = 32): Uint8Array {
  const bytes = new Uint8Array(length);
  let rest = value;
  for (let index = 0; index < length; index++, rest >>= 8n) bytes[index] = Number(rest & 0xffn);
  invariant(rest === 0n, `${value} has no more than ${length} bytes`);
  return bytes;
}

/** The number that bytes are, little endian. */
export function fromLittleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** The remainder that is not negative. */
export function modulo(value: bigint, modulus: bigint): bigint {
  const remainder = value % modulus;
  return remainder < 0n ? remainder + modulus : remainder;
}

/** The scalar of a signature's challenge: k of RFC 8032. */
export function challengeOf(noncePoint: Uint8Array, publicKey: Uint8Array, message: Uint8Array): bigint {
  return modulo(fromLittleEndian(sha3_512(concatBytes(noncePoint, publicKey, message))), ORDER);
}

/** Any multiple of a point, that of 0 too. */
export function multipleOf(point: CurvePoint, factor: bigint): CurvePoint {
  return point.multiplyUnsafe(modulo(factor, ORDER));
}

/** A point whose order is 8, and all points whose order divides 8: its multiples from 0 to 7. */
const EIGHTH = Point.fromBytes(
  hexToBytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
);
export const SMALL_POINTS: readonly CurvePoint[] = Array.from({ length: 8 }, (_, factor) =>
  multipleOf(EIGHTH, BigInt(factor)),
);

/** Every encoding of 32 bytes that a careless reader takes for a point whose order divides 8. */
export const SMALL_ENCODINGS: readonly Uint8Array[] = SMALL_POINTS.flatMap((point) => {
  const y = fromLittleEndian(point.toBytes()) & (2n ** 255n - 1n);
  const values = y + PRIME < 2n ** 255n ? [y, y + PRIME] : [y];
  return values.flatMap((value) => [toLittleEndian(value), toLittleEndian(value + 2n ** 255n)]);
});

type PartFunction = (...offsets: number[]) => number;

const { exports } = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(new URL('../../../build/ed25519.wasm', import.meta.url))),
);
const memory = exports.memory as WebAssembly.Memory;
// The module's own data may fill its last page.
memory.grow(1);

export const partMemory = new Uint8Array(memory.buffer);

/** Calls a function of `assembly/ed25519/part-exports.ts`. */
export function callPart(name: string, ...offsets: number[]): number {
  const target = exports[name];
  invariant(typeof target === 'function', `build/ed25519.wasm exports ${name}`);
  return (target as PartFunction)(...offsets);
}

/** Returns the address of a constant of the module. */
export function constantOffset(name: string): number {
  const constant = exports[name] as { readonly value: number } | undefined;
  invariant(constant, `build/ed25519.wasm exports ${name}`);
  return constant.value;
}

const FIRST_SLOT = callPart('freeMemoryOffset');
const SLOT_BYTES = 192;
const SLOTS = 10;

/** Returns the address of a slot of 192 bytes for tests: slots 0 to 9. */
export function slot(index: number): number {
  return FIRST_SLOT + index * SLOT_BYTES;
}

/** Writes the table of a point, which `multiplyBoth` needs, after all slots. Returns its address. */
export function layPointTable(point: number): number {
  const table = slot(SLOTS);
  callPart('makePointTable', table, point);
  return table;
}

/** Bytes of the parts' memory. */
export function readPart(offset: number, length = 32): Uint8Array {
  return partMemory.slice(offset, offset + length);
}

/** Lays bytes into a slot, and gives its offset. */
export function laySlot(index: number, bytes: Uint8Array): number {
  partMemory.set(bytes, slot(index));
  return slot(index);
}
