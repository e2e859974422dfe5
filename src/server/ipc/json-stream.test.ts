import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonStream } from './json-stream.ts';

interface Found {
  readonly values: string[];
  readonly problems: string[];
  counted: number;
}

/** Gives a stream its bytes in pieces, each as often as it takes. */
function found(pieces: readonly Uint8Array[], bytesMax = 1_000_000): Found {
  const result: Found = { values: [], problems: [], counted: 0 };
  const stream = new JsonStream(bytesMax, {
    onBytes: (bytes) => {
      result.counted += bytes;
      return true;
    },
    onValue: (value) => result.values.push(value.toString()),
    onProblem: (problem) => result.problems.push(problem),
  });
  for (const piece of pieces) {
    for (let rest = Buffer.from(piece); rest.length > 0; ) {
      const { bytes } = stream.consume(rest);
      expect(bytes).toBeGreaterThan(0);
      rest = rest.subarray(bytes);
    }
  }
  return result;
}

/** Splits bytes at some positions. */
function split(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const ends = [...positions.map((position) => position % (bytes.length + 1)), bytes.length].sort(
    (one, other) => one - other,
  );
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });
const positions = fc.array(fc.nat(), { maxLength: 40 });
/** Objects and arrays, with quotes, backslashes, braces and brackets in texts. */
const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', 'ü', 'a', '\u2028') });
const value = fc
  .oneof(
    fc.array(fc.jsonValue({ depthSize: 'medium' })),
    fc.dictionary(fc.oneof(fc.string(), tricky), fc.oneof(fc.jsonValue(), tricky)),
  )
  .chain((json) => fc.constantFrom(JSON.stringify(json), JSON.stringify(json, undefined, 2)));

test('default: values with and without white space between them, in pieces of any size', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, space)), space, positions, (parts, start, cuts) => {
      const bytes = Buffer.from(start + parts.map(([text, after]) => text + after).join(''));
      const values = parts.map(([text]) => text);
      const counted = values.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      expect(found(split(bytes, cuts))).toEqual({ values, problems: [], counted });
    }),
    { numRuns: 300 },
  );
});

test('behavior: any bytes in any pieces give the same values, problem and count', () => {
  const hostile = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ' ', '\n', '5', ',') });
  fc.assert(
    fc.property(hostile, positions, fc.integer({ min: 1, max: 60 }), (text, cuts, bytesMax) => {
      const bytes = Buffer.from(text);
      const [whole, cut] = [found([bytes], bytesMax), found(split(bytes, cuts), bytesMax)];
      expect([cut.values, cut.problems]).toEqual([whole.values, whole.problems]);
      expect(Math.max(0, ...cut.values.map(({ length }) => length))).toBeLessThanOrEqual(bytesMax);
      // No more is held than a value may have.
      const done = cut.values.reduce((sum, { length }) => sum + length, 0);
      expect(cut.counted - done).toBeLessThanOrEqual(bytesMax);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['5', []],
  ['"text"', []],
  ['{} null', ['{}']],
  ['}', []],
  ['[1]]', ['[1]']],
  ['\ufeff{}', []],
])('error: %j: a byte that begins no object and no array', (text, values) => {
  expect(found([Buffer.from(text)])).toMatchObject({ values, problems: ['malformed'] });
});

test('error: a value of more bytes than the bound; one of the bound is taken', () => {
  const fitting = `["${'x'.repeat(96)}"]`;
  expect(found([Buffer.from(fitting)], 100)).toMatchObject({ values: [fitting], problems: [] });
  expect(found([Buffer.from(`{}["${'x'.repeat(97)}"]{}`)], 100)).toMatchObject({
    ...{ values: ['{}'], problems: ['tooLong'] },
  });
});

test('behavior: bytes for which there is no room end the stream', () => {
  const values: string[] = [];
  const stream = new JsonStream(100, {
    onBytes: (bytes) => bytes < 3,
    onValue: (text) => values.push(text.toString()),
    onProblem: () => undefined,
  });
  const bytes = Buffer.from('{}[1,2]{}');
  expect(stream.consume(bytes)).toEqual({ bytes: bytes.length, requests: 1 });
  expect(values).toEqual(['{}']);
});
