import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArtifactError, findParts, type JsonValue, jsonOf, runToEnd, type Wanted } from './json-parts.ts';

const WANTED: Wanted = { a: { '*': { x: true } }, b: true, 'é"\\': { '*': true } };
const NAMES = ['a', 'b', 'c', 'x', 'é"\\', '__proto__', '*'];

/** Random JSON with the names of the wanted parts. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'é', '\n', '😀') }),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...NAMES), tie('json')), { maxLength: 5 })
      .map((members) => Object.fromEntries(members)),
  ),
}));

/** Asserts that the parts have the values that JSON.parse finds. */
function expectSame(part: JsonValue, value: unknown, wanted: Wanted): void {
  expect(part.value()).toEqual(value);
  if (wanted === true || typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const one = Object.hasOwn(wanted, name) ? wanted[name] : wanted['*'];
    const found = part.at(name);
    expect(found === undefined).toBe(one === undefined);
    if (found !== undefined && one !== undefined) expectSame(found, inner, one);
  }
}

describe('parts of JSON', () => {
  test('behavior: the values of any JSON', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1), (value, spaces) => {
        const clean: unknown = JSON.parse(JSON.stringify(value));
        const bytes = Buffer.from(JSON.stringify(clean, undefined, spaces));
        const root = runToEnd(findParts(bytes, WANTED));
        expect(bytes.toString('utf8', root.start, root.end).trim()).toBe(bytes.toString('utf8').trim());
        expectSame(jsonOf(clean, WANTED), clean, WANTED);
      }),
      { numRuns: 1_000 },
    );
  });

  test('error: any other bytes end, or are refused with a reason', () => {
    const texts = fc.array(
      fc.constantFrom('{', '}', '"a"', '"', '\\', ':', ',', '[', ']', '1', ' ', 'é', '\0'),
    );
    fc.assert(
      fc.property(texts, (pieces) => {
        try {
          runToEnd(findParts(Buffer.from(pieces.join('')), WANTED));
        } catch (error) {
          if (!(error instanceof ArtifactError)) throw error;
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test('behavior: a long text is searched in many steps', () => {
    const bytes = Buffer.from(
      JSON.stringify({ c: Array.from({ length: 100_000 }, () => 'a long text'), b: 7 }),
    );
    const steps = findParts(bytes, WANTED);
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBeGreaterThan(4);
  });
});
