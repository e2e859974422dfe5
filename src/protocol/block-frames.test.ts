import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, DecodeError, FormatError, frameBlocks, hexToBytes, unframeBlocks } from './index.ts';

const blockBytes = fc.uint8Array({ minLength: 1, maxLength: 40 });

function failureOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

test('default: each block stands behind its length, little endian', () => {
  const framed = frameBlocks([Uint8Array.of(7), Uint8Array.of(1, 2, 3)]);
  expect(framed).toEqual(hexToBytes('01000000' + '07' + '03000000' + '010203'));
  expect(unframeBlocks(framed)).toEqual([Uint8Array.of(7), Uint8Array.of(1, 2, 3)]);
});

test('args: no blocks', () => {
  expect(frameBlocks([])).toEqual(new Uint8Array());
  expect(unframeBlocks(new Uint8Array())).toEqual([]);
});

test('behavior: what was framed comes back, as copies', () => {
  fc.assert(
    fc.property(fc.array(blockBytes, { maxLength: 8 }), (blocks) => {
      const framed = frameBlocks(blocks);
      const unframed = unframeBlocks(framed);
      framed.fill(0);
      expect(unframed).toEqual(blocks);
    }),
  );
});

test('behavior: frames of parts, one after the other, are the frames of the whole', () => {
  fc.assert(
    fc.property(fc.array(blockBytes), fc.array(blockBytes), (first, second) => {
      expect(concatBytes(frameBlocks(first), frameBlocks(second))).toEqual(
        frameBlocks([...first, ...second]),
      );
    }),
  );
});

describe('failures', () => {
  test.each([
    ['a cut length', '0100000007' + '0300', 'frames[1]', 5, 'needs 4 bytes, 2 are left'],
    ['a cut block', '0300000007', 'frames[0]', 4, 'needs 3 bytes, 1 are left'],
    ['a length beyond all memory', 'ffffffff00', 'frames[0]', 4, 'needs 4294967295 bytes, 1 are left'],
    ['an empty block', '0100000007' + '00000000', 'frames[1]', 5, 'a block of 0 bytes'],
  ])('error: %s', (_, hex, field, offset, reason) => {
    const error = failureOf(() => unframeBlocks(hexToBytes(hex)));
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ code: 'DECODE', field, offset, reason });
  });

  test('error: cut anywhere, the whole blocks or a DecodeError', () => {
    const blocks = [Uint8Array.of(1), Uint8Array.of(2, 2), Uint8Array.of(3, 3, 3)];
    const framed = frameBlocks(blocks);
    const whole = new Map([0, 1, 2, 3].map((count) => [frameBlocks(blocks.slice(0, count)).length, count]));
    for (let length = 0; length < framed.length; length += 1) {
      const count = whole.get(length);
      const outcome = failureOf(() => unframeBlocks(framed.subarray(0, length)));
      if (count === undefined) expect(outcome).toBeInstanceOf(DecodeError);
      else expect(outcome).toEqual(blocks.slice(0, count));
    }
  });

  test('error: a block of no bytes is not framed', () => {
    const error = failureOf(() => frameBlocks([Uint8Array.of(1), new Uint8Array()]));
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ field: 'frames[1]', reason: 'a block of 0 bytes' });
  });
});
