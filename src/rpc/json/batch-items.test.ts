import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsedOneByOne, parsedUntilWaiting } from './batch-items.ts';

/** The items that a text is taken apart into. */
function itemsOf(text: string): unknown[] {
  const items = parsedOneByOne(Buffer.from(text));
  return Array.from({ length: items.length }, (_, index) => items.at(index));
}

describe('parsedOneByOne', () => {
  test('default', () => {
    const text = ' [ {"a":[1,{"b":"],["}]} , [], "x\\\\\\",", null,\n-1.5e3 ,"é€😀"] ';
    expect(itemsOf(text)).toEqual(JSON.parse(text));
  });

  test('behavior: any array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(4), (items, spaces) => {
        const text = JSON.stringify(items, undefined, spaces);
        expect(itemsOf(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

test('behavior: strings of any length, with whatever is escaped in them', () => {
  const character = fc.constantFrom('"', '\\', 'x', ',', ']', 'é');
  const strings = fc.array(fc.string({ unit: character, maxLength: 60 }), { minLength: 1 });
  fc.assert(
    fc.property(strings, (items) => {
      expect(itemsOf(JSON.stringify(items))).toEqual(items);
    }),
  );
});

test('parsedUntilWaiting: default', () => {
  const text = '[{"a":1},[2],"3"]';
  const items = parsedUntilWaiting(Buffer.from(text), JSON.parse(text));
  const all = () => Array.from({ length: items.length }, (_, index) => items.at(index));
  const before = all();
  expect(before).toEqual(JSON.parse(text));
  expect(items.at(0)).toBe(before[0]);
  items.letGo?.();
  items.letGo?.();
  expect(all()).toEqual(before);
  expect(items.at(0)).not.toBe(before[0]);
});
