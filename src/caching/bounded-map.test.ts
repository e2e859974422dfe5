import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedMap, SharedBound } from './bounded-map.ts';

test('default: get returns the newest value that was set', () => {
  const map = new BoundedMap<string, number>(4);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, 2, undefined]);
});

test('behavior: recently used entries are not evicted', () => {
  const map = new BoundedMap<number, string>(4);
  for (let key = 0; key < 100; key += 1) {
    map.set(key, `value ${key}`);
    map.get(0);
  }
  expect([0, 1, 97, 99].map((key) => map.get(key))).toEqual(['value 0', undefined, undefined, 'value 99']);
});

test('behavior: an evicted key does not return with its previous value', () => {
  const map = new BoundedMap<string, number>(4);
  map.set('a', 1);
  map.set('b', 1);
  map.set('c', 1);
  map.set('a', 2);
  map.set('d', 1);
  map.set('e', 1);
  map.set('f', 1);
  expect(map.get('a')).toBeUndefined();
});

test('args: sizeOf: a value larger than half of the bound is not stored and removes the previous value', () => {
  const map = new BoundedMap<string, string>(10, (text) => text.length);
  map.set('a', '12345');
  expect(map.get('a')).toBe('12345');
  map.set('a', '123456');
  expect(map.get('a')).toBeUndefined();
});

test('behavior: the bound is never exceeded, and entries used within half of it are kept', () => {
  const steps = fc.array(fc.record({ isSet: fc.boolean(), key: fc.nat(12) }), { maxLength: 200 });
  const sizeOf = (key: number): number => 1 + (key % 5);
  fc.assert(
    fc.property(steps, fc.integer({ min: 10, max: 30 }), (taken, most) => {
      const map = new BoundedMap<number, number>(most, sizeOf);
      const used: number[] = [];
      for (const { isSet, key } of taken) {
        if (isSet) map.set(key, key);
        else if (map.get(key) === undefined) continue;
        used.push(key);
      }
      let [usedSince, kept] = [0, 0];
      for (const key of new Set(used.reverse())) {
        const found = map.get(key);
        usedSince += sizeOf(key);
        if (usedSince <= most / 2) expect(found).toBe(key);
        if (found !== undefined) kept += sizeOf(key);
      }
      expect(kept).toBeLessThanOrEqual(most);
    }),
  );
});

test('args: a shared bound: the entries of all maps together stay within it, those of unused maps leave first', () => {
  const bound = new SharedBound(8);
  const [idle, busy] = [new BoundedMap<number, number>(bound), new BoundedMap<number, number>(bound)];
  for (let key = 0; key < 4; key += 1) idle.set(key, key);
  for (let key = 0; key < 8; key += 1) busy.set(key, key);
  const keys = [0, 1, 2, 3, 4, 5, 6, 7];
  expect(keys.map((key) => idle.get(key)).filter((value) => value !== undefined)).toEqual([]);
  expect(keys.slice(4).map((key) => busy.get(key))).toEqual([4, 5, 6, 7]);
  busy.clear();
  for (let key = 0; key < 4; key += 1) idle.set(key, key);
  expect(keys.slice(0, 4).map((key) => idle.get(key))).toEqual([0, 1, 2, 3]);
});
