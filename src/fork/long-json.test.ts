import { expect, test } from 'vitest';
import { JSON_DEPTH_MAX } from '../json/parser.ts';
import { itemPieces, jsonPieces } from '../json/pieces.ts';
import { parseJson } from './long-json.ts';

/** Text of a value that is parsed in several steps. */
const LONG = 'x'.repeat(70_000);

/** Runs all steps. Returns the value and the number of pauses. */
function parsed(text: string): { readonly value: unknown; readonly pauses: number } {
  const steps = parseJson(text);
  for (let pauses = 0; ; pauses += 1) {
    const next = steps.next();
    if (next.done === true) return { value: next.value, pauses };
  }
}

/** Returns a value of a size, from a source of numbers from 0 to 1. */
function jsonValue(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 7 : 5));
  if (kind === 0) return random() < 0.05 ? LONG : `"\\[{},:é😀\n${Math.floor(random() * 1e6)}`;
  if (kind === 1) return Math.floor(random() * 1e9) / 8;
  if (kind === 2) return null;
  if (kind === 3) return random() < 0.5;
  if (kind === 4) return [[], {}, '', 0, '\\'][Math.floor(random() * 5)];
  const members = Array.from({ length: Math.floor(random() * 9) }, () => jsonValue(random, depth - 1));
  if (kind === 5) return members;
  return Object.fromEntries(members.map((member, index) => [`${index % 2 ? '__proto__' : index}"`, member]));
}

/** Returns numbers from 0 to 1 (a linear congruential generator). */
function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 2 ** 32;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

test('default: the same values as JSON.parse, and the same text as JSON.stringify', () => {
  let pauses = 0;
  for (let seed = 1; seed <= 300; seed += 1) {
    const value = jsonValue(randomOf(seed), 7);
    const text = JSON.stringify(value, undefined, seed % 3);
    const found = parsed(text);
    expect(JSON.stringify(found.value)).toBe(JSON.stringify(value));
    const written = [...jsonPieces(value)].join('');
    expect(written).toMatch(/^[\0-\x7f]*$/);
    expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(value));
    pauses += found.pauses;
  }
  expect(pauses).toBeGreaterThan(0);
});

test.each([
  ['items', `[${'[],'.repeat(30_000)}1]`],
  ['members that are containers', `{"a":{"b":[${'{"c":1},'.repeat(30_000)}{}],"d":2},"e":[1]}`],
  ['names that are numbers or repeated', `{"2":1,"1":["${LONG}",{"a":[0,"${LONG}",1]}],"0":2,"1":3}`],
  ['a name of the prototype', `{"__proto__":["${LONG}","${LONG}"],"a":1}`],
  ['one string', JSON.stringify([LONG.repeat(9)])],
  ['escapes', JSON.stringify(['\\', '"', '\\"'.repeat(30_000), '\\'.repeat(9), 1])],
])('args: %s', (_, text) => {
  const { value, pauses } = parsed(text);
  expect(pauses).toBeGreaterThan(0);
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
});

test('default: items of a long list, without brackets', () => {
  const items = Array.from({ length: 9_000 }, (_, index) => ({ index }));
  expect([...itemPieces(items)].join('')).toBe(JSON.stringify(items).slice(1, -1));
  expect([...itemPieces([])].join('')).toBe('');
});

/** Texts that become wrong before, within or after a long part. */
const BIG = `["${LONG}",1]`;
test.each([
  ...['', ' ', '[', ']', '[1,]', '[,1]', '{"a"}', '1 2', '1,2', '[1}', 'nul', '"'],
  ...[`[${BIG}`, `[${BIG},]`, `[,${BIG}]`, `[${BIG}${BIG}]`, `[1 ${BIG}]`, `[${BIG} 1]`, `[${BIG}}`],
  ...[`${BIG},${BIG}`, `${BIG}]`, `${BIG} 1`, `["a":${BIG}]`, `{${BIG}}`, `{"a" ${BIG}}`, `{"a":${BIG},}`],
  ...[`{"a":1 "b":${BIG}}`, `{"a":"b":${BIG}}`, `{"a":${BIG},${BIG}}`, `{"a":1,${BIG}:1}`, `{,"a":${BIG}}`],
  ...[`["${LONG}",${LONG}]`, `["${LONG}",[1},2]`, `[["${LONG}",1},2]`, `["${LONG}`],
])('error: not JSON, case %#', (text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(() => parsed(text)).toThrow('the remote node sent a text that is not JSON');
});

test.each(['', LONG])('error: nested too deep, beside %#', (text) => {
  const nested = (depth: number): string =>
    `[${JSON.stringify(text)},${'['.repeat(depth - 1) + ']'.repeat(depth)}`;
  expect(parsed(nested(JSON_DEPTH_MAX)).value).toEqual(JSON.parse(nested(JSON_DEPTH_MAX)));
  expect(() => parsed(nested(JSON_DEPTH_MAX + 1))).toThrow(`nested deeper than ${JSON_DEPTH_MAX}`);
});
