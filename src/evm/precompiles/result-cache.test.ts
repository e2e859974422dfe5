import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ResultCache } from './result-cache.ts';

/** Returns a cache, and a counter of its computations. */
function counting(entriesMax = 64, bytesMax = 4_096) {
  const cache = new ResultCache(entriesMax, bytesMax);
  let computed = 0;
  const get = (number: number, input: Uint8Array, output: Uint8Array | undefined): Uint8Array | undefined =>
    cache.getOrCompute(number, input, () => {
      computed += 1;
      return output;
    });
  return { cache, get, computed: () => computed };
}

/** Returns the output of a function of these tests: different for each function and input; sometimes rejected. */
function outputFor(number: number, input: Uint8Array): Uint8Array | undefined {
  if (input[0] === 1) return undefined;
  return Uint8Array.from([...input, number]).reverse();
}

const bytes = (...values: number[]) => Uint8Array.from(values);

const inputs = fc.array(
  fc.record({
    number: fc.nat(2),
    // Few enough that many occur again.
    input: fc.array(fc.nat(2), { maxLength: 9 }).map((values) => Uint8Array.from(values)),
  }),
  { maxLength: 200 },
);

describe('getOrCompute', () => {
  test('default', () => {
    const { get, computed } = counting();
    expect(get(0, bytes(1, 2), bytes(3))).toEqual(bytes(3));
    expect(get(0, bytes(1, 2), bytes(9))).toEqual(bytes(3));
    expect(get(1, bytes(1, 2), bytes(4))).toEqual(bytes(4));
    expect(get(0, bytes(1, 2, 0), bytes(5))).toEqual(bytes(5));
    expect(get(0, bytes(), bytes())).toEqual(bytes());
    expect(get(0, bytes(), bytes(9))).toEqual(bytes());
    expect(computed()).toBe(4);
  });

  test('behavior: a rejected input is cached too', () => {
    const { get, computed } = counting();
    expect([get(0, bytes(7), undefined), get(0, bytes(7), bytes(1)), computed()]).toEqual([
      undefined,
      undefined,
      1,
    ]);
  });

  test('behavior: an output is a copy', () => {
    const { get } = counting();
    get(0, bytes(1), bytes(2));
    get(0, bytes(1), bytes())?.fill(9);
    expect(get(0, bytes(1), bytes())).toEqual(bytes(2));
  });

  test('behavior: the newest entries that fit are cached', () => {
    const { get, computed } = counting(1_024, 400);
    const input = (index: number) => bytes(index, 1, 2, 3);
    for (let index = 0; index < 100; index += 1) get(0, input(index), bytes(index));
    // An entry has 24 bytes: 16, the input, and the output with its padding.
    for (let index = 84; index < 100; index += 1) expect(get(0, input(index), bytes())).toEqual(bytes(index));
    expect(computed()).toBe(100);
    expect(get(0, input(0), bytes(200))).toEqual(bytes(200));
  });

  test('behavior: of the inputs of one set the newest are cached', () => {
    const { get, computed } = counting(4, 4_096);
    for (let index = 0; index < 6; index += 1) get(0, bytes(index), bytes(index));
    for (let index = 5; index > 1; index -= 1) expect(get(0, bytes(index), bytes())).toEqual(bytes(index));
    expect(computed()).toBe(6);
    expect(get(0, bytes(0), bytes(9))).toEqual(bytes(9));
  });

  test('behavior: an entry larger than a quarter of the cache is not cached', () => {
    const { get, computed } = counting();
    get(0, new Uint8Array(2_000), bytes());
    get(0, new Uint8Array(2_000), bytes());
    expect(computed()).toBe(2);
  });

  test('behavior: outputs are right for any inputs in any order', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(128, 260, 1_024), (requests, bytesMax) => {
        const { get } = counting(8, bytesMax);
        for (const { number, input } of requests) {
          const output = outputFor(number, input);
          expect(get(number, input, output)).toEqual(output);
        }
      }),
    );
  });

  test('error: an exception of the function is rethrown, and not cached', () => {
    const cache = new ResultCache(64, 4_096);
    const fail = () => {
      throw new RangeError('no');
    };
    expect(() => cache.getOrCompute(0, bytes(1), fail)).toThrow('no');
    expect(cache.getOrCompute(0, bytes(1), () => bytes(2))).toEqual(bytes(2));
  });
});

describe('recorded entries', () => {
  test('default: another cache imports them, cached before or not', () => {
    const { cache, get } = counting();
    get(0, bytes(1), bytes(1));
    get(0, bytes(2), bytes(2));
    cache.beginRecording();
    for (let count = 0; count < 3; count += 1) {
      get(0, bytes(1), undefined);
      get(0, bytes(3), undefined);
    }
    const pieces = cache.endRecording(4_096);
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(2 * 20);
    const other = counting();
    for (const piece of pieces) other.cache.importEntries(piece);
    expect([other.get(0, bytes(1), bytes(9)), other.get(0, bytes(3), bytes(9))]).toEqual([
      bytes(1),
      undefined,
    ]);
    expect([other.get(0, bytes(2), bytes(9)), other.computed()]).toEqual([bytes(9), 1]);
  });

  test('behavior: limited by the maximum, and none if the cache has overwritten them', () => {
    const { cache, get } = counting(1_024, 800);
    cache.beginRecording();
    for (let index = 0; index < 10; index += 1) get(0, bytes(index), bytes(index));
    expect(cache.endRecording(50).map(({ length }) => length)).toEqual([60]);
    cache.beginRecording();
    for (let index = 0; index < 100; index += 1) get(0, bytes(index), bytes(index));
    expect(cache.endRecording(800)).toEqual([]);
  });

  test('behavior: at any position of the ring buffer', () => {
    fc.assert(
      fc.property(inputs, inputs, (before, recorded) => {
        const { cache, get } = counting(1_024, 16_384);
        const other = counting(1_024, 16_384);
        // Several times around the ring buffer.
        for (let round = 0; round < 10; round += 1) {
          for (const { number, input } of before) get(3 + round, input, outputFor(number, input));
        }
        cache.beginRecording();
        for (const { number, input } of recorded) get(number, input, outputFor(number, input));
        for (const piece of cache.endRecording(16_384)) other.cache.importEntries(piece);
        for (const { number, input } of recorded) {
          expect(other.get(number, input, bytes(7, 7, 7))).toEqual(outputFor(number, input));
        }
        expect(other.computed()).toBe(0);
      }),
    );
  });
});
