import { blake3 } from '@noble/hashes/blake3.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  accumulateChanges,
  bytesToHex,
  concatBytes,
  InvariantError,
  LatticeAccumulator,
  utf8ToBytes,
} from '../index.ts';
import { patternBytes } from './hashing.testing.ts';

type Entry = readonly [key: Uint8Array, value: Uint8Array];

const LANES = 1_024;

/** The sum of the entries' expansions, from the definition alone. */
function referenceState(entries: readonly Entry[]): Uint8Array {
  const lanes = new Array<bigint>(LANES).fill(0n);
  for (const [key, value] of entries) {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, key.length, true);
    const expansion = blake3(concatBytes(length, key, value), { dkLen: 2 * LANES });
    const view = new DataView(expansion.buffer, expansion.byteOffset, expansion.length);
    for (const [lane, sum] of lanes.entries()) lanes[lane] = sum + BigInt(view.getUint16(2 * lane, true));
  }
  const state = new Uint8Array(2 * LANES);
  const view = new DataView(state.buffer);
  for (const [lane, sum] of lanes.entries()) view.setUint16(2 * lane, Number(sum % 65_536n), true);
  return state;
}

function accumulate(entries: readonly Entry[]): LatticeAccumulator {
  const accumulator = new LatticeAccumulator();
  for (const [key, value] of entries) accumulator.add(key, value);
  return accumulator;
}

const entry: fc.Arbitrary<Entry> = fc.tuple(
  fc.uint8Array({ maxLength: 60 }),
  fc.oneof(fc.uint8Array({ maxLength: 100 }), fc.nat(4_000).map(patternBytes)),
);
const entries = fc.array(entry, { maxLength: 12 });

test('default', () => {
  const accumulator = new LatticeAccumulator();
  expect(accumulator.state()).toEqual(new Uint8Array(2_048));
  accumulator.add(utf8ToBytes('key'), utf8ToBytes('value'));
  expect(bytesToHex(accumulator.state())).toBe(
    bytesToHex(referenceState([[utf8ToBytes('key'), utf8ToBytes('value')]])),
  );
  expect(bytesToHex(accumulator.digest())).toBe(bytesToHex(blake3(accumulator.state())));
});

test('behavior: the state is the sum of the expansions', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const accumulator = accumulate(list);
      expect(bytesToHex(accumulator.state())).toBe(bytesToHex(referenceState(list)));
      expect(bytesToHex(accumulator.digest())).toBe(bytesToHex(blake3(referenceState(list))));
    }),
  );
});

test('behavior: the order does not matter', () => {
  fc.assert(
    fc.property(entries, (list) => {
      expect(accumulate(list.toReversed()).digest()).toEqual(accumulate(list).digest());
    }),
  );
});

test('behavior: adding then removing an entry is neutral, whatever is added in between', () => {
  fc.assert(
    fc.property(entry, entries, ([key, value], others) => {
      const accumulator = new LatticeAccumulator();
      accumulator.add(key, value);
      for (const [otherKey, otherValue] of others) accumulator.add(otherKey, otherValue);
      accumulator.remove(key, value);
      expect(accumulator.state()).toEqual(accumulate(others).state());
    }),
  );
});

test('behavior: removing before adding is neutral too', () => {
  const accumulator = new LatticeAccumulator();
  accumulator.remove(utf8ToBytes('key'), utf8ToBytes('value'));
  expect(accumulator.state()).not.toEqual(new Uint8Array(2_048));
  accumulator.add(utf8ToBytes('key'), utf8ToBytes('value'));
  expect(accumulator.state()).toEqual(new Uint8Array(2_048));
});

test('behavior: changes at once equal single ones, and leave the given state as it is', () => {
  fc.assert(
    fc.property(entries, entries, (before, after) => {
      const given = accumulate(before).state();
      const copy = given.slice();
      const removed = before.map(([key, value]) => ({ key, before: value, after: undefined }));
      const added = after.map(([key, value]) => ({ key, before: undefined, after: value }));
      const { state, digest } = accumulateChanges(given, [...removed, ...added]);
      expect(state).toEqual(accumulate(after).state());
      expect(digest).toEqual(accumulate(after).digest());
      expect(given).toEqual(copy);
      expect(accumulateChanges(undefined, added)).toEqual({ state, digest });
    }),
  );
});

test('behavior: the boundary of key and value counts, and keys of different lengths differ', () => {
  const digests = [
    ['ab', 'c'],
    ['a', 'bc'],
    ['', 'abc'],
    ['abc', ''],
    ['abc', '\0'],
  ].map(([key = '', value = '']) =>
    bytesToHex(accumulate([[utf8ToBytes(key), utf8ToBytes(value)]]).digest()),
  );
  expect(new Set(digests).size).toBe(digests.length);
});

test('behavior: a key longer than a byte can count', () => {
  const list: Entry[] = [[patternBytes(70_000), patternBytes(10)]];
  expect(accumulate(list).state()).toEqual(referenceState(list));
});

test('args: state', () => {
  fc.assert(
    fc.property(entries, entries, (first, second) => {
      const accumulator = new LatticeAccumulator(accumulate(first).state());
      for (const [key, value] of second) accumulator.add(key, value);
      expect(accumulator.digest()).toEqual(accumulate([...first, ...second]).digest());
    }),
  );
});

test('behavior: neither the given state nor the returned one is shared', () => {
  const given = patternBytes(2_048);
  const accumulator = new LatticeAccumulator(given);
  const before = accumulator.digest();
  given.fill(0);
  accumulator.state().fill(0);
  expect(accumulator.digest()).toEqual(before);
});

test('behavior: interleaved accumulators are independent', () => {
  const left = new LatticeAccumulator();
  const right = new LatticeAccumulator();
  for (let number = 0; number < 20; number += 1) {
    left.add(patternBytes(20, number), patternBytes(100, number));
    right.add(patternBytes(21, number), patternBytes(5_000, number));
  }
  for (let number = 0; number < 20; number += 1)
    right.remove(patternBytes(21, number), patternBytes(5_000, number));
  expect(right.state()).toEqual(new Uint8Array(2_048));
  for (let number = 0; number < 20; number += 1)
    left.remove(patternBytes(20, number), patternBytes(100, number));
  expect(left.state()).toEqual(new Uint8Array(2_048));
});

test('error: a state of another length', () => {
  expect(() => new LatticeAccumulator(new Uint8Array(2_047))).toThrow(InvariantError);
  expect(() => new LatticeAccumulator(new Uint8Array(0))).toThrow(
    'the state of a lattice accumulator has 2048 bytes, not 0',
  );
});
