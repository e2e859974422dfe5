import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, DecodeError, FormatError, FrameReader, frameBlocks, hexToBytes } from '../index.ts';
import { unframeBlocks } from './block-frames.testing.ts';
import type { FrameBounds } from './block-frames.ts';

const blockBytes = fc.uint8Array({ minLength: 1, maxLength: 40 });

function failureOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

test('default: each block follows its length, little endian', () => {
  const framed = frameBlocks([Uint8Array.of(7), Uint8Array.of(1, 2, 3)]);
  expect(framed).toEqual(hexToBytes('01000000' + '07' + '03000000' + '010203'));
  expect(unframeBlocks(framed)).toEqual([Uint8Array.of(7), Uint8Array.of(1, 2, 3)]);
});

test('args: no blocks', () => {
  expect(frameBlocks([])).toEqual(new Uint8Array());
  expect(unframeBlocks(new Uint8Array())).toEqual([]);
});

test('behavior: reading returns copies of the framed blocks', () => {
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

describe('FrameReader', () => {
  const BOUNDS: FrameBounds = { blocksMax: 8, bytesMax: 400, headBytes: 10 };

  /** Reads parts to their end. */
  function readAll(parts: readonly Uint8Array[], bounds = BOUNDS, checkHead = (_head: Uint8Array) => {}) {
    const reader = new FrameReader(bounds, checkHead);
    const blocks = parts.flatMap((part) => [...reader.read(part)]);
    reader.finish();
    return blocks;
  }

  /** Bytes in parts that end at the given places. */
  function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
    const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
    return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
  }

  test('default: blocks are read however the stream is split', () => {
    fc.assert(
      fc.property(fc.array(blockBytes, { maxLength: 8 }), fc.array(fc.nat()), (blocks, places) => {
        expect(readAll(cut(frameBlocks(blocks), places))).toEqual(blocks);
      }),
    );
  });

  test('args: a block longer than the initial buffer', () => {
    const blocks = [new Uint8Array(200_000).fill(7), Uint8Array.of(1)];
    const bounds = { ...BOUNDS, bytesMax: 400_000 };
    const framed = frameBlocks(blocks);
    const read = readAll(cut(framed, [70_000, 150_000]), bounds);
    expect(Buffer.compare(frameBlocks(read), framed)).toBe(0);
  });

  test('behavior: any bytes: blocks within the bounds, or a DecodeError', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 30 })), (parts) => {
        const outcome = failureOf(() => readAll(parts));
        if (!Array.isArray(outcome)) {
          expect(outcome).toBeInstanceOf(DecodeError);
          return;
        }
        expect(outcome.length).toBeLessThanOrEqual(BOUNDS.blocksMax);
        expect(frameBlocks(outcome)).toEqual(concatBytes(...parts));
      }),
    );
  });

  test('behavior: the beginning of a block is checked once, before the rest arrives', () => {
    const heads: number[] = [];
    const reader = new FrameReader(BOUNDS, (head) => heads.push(head.length));
    const framed = frameBlocks([new Uint8Array(30), new Uint8Array(3), new Uint8Array(20)]);
    expect([...reader.read(framed.subarray(0, 14))]).toEqual([]);
    expect(heads).toEqual([10]);
    const rest = reader.read(framed.subarray(14));
    expect(rest.next().value).toHaveLength(30);
    expect(heads).toEqual([10]);
    expect([...rest].map(({ length }) => length)).toEqual([3, 20]);
    expect(heads).toEqual([10, 3, 10]);
  });

  test.each([
    [
      'one block too many',
      frameBlocks(Array(9).fill(Uint8Array.of(1))),
      'frames[8]',
      44,
      'more than 8 blocks',
    ],
    ['a block beyond the bytes', hexToBytes('8d010000'), 'frames[0]', 4, 'more than 400 bytes'],
    [
      'blocks beyond the bytes',
      frameBlocks([new Uint8Array(200), new Uint8Array(193)]),
      'frames[1]',
      208,
      'more',
    ],
    [
      'a length beyond all memory',
      hexToBytes('ffffffff00'),
      'frames[0]',
      4,
      'a block of 4294967295 bytes, and none has more than 400',
    ],
    ['an empty block', hexToBytes('0100000007' + '00000000'), 'frames[1]', 9, 'a block of 0 bytes'],
    ['a cut block', hexToBytes('0300000007'), 'frames[0]', 5, 'the end comes 2 bytes too early'],
    ['a cut length', hexToBytes('0300'), 'frames[0]', 2, 'the end comes 2 bytes too early'],
  ])('error: %s', (_title, bytes, field, offset, reason) => {
    const error = failureOf(() => readAll([bytes]));
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ field, offset, reason: expect.stringContaining(reason) });
  });

  test.each([
    ['too short', 2, 'a block of 2 bytes, and none has fewer than 3'],
    ['too long', 6, 'a block of 6 bytes, and none has more than 5'],
  ])('error: a block that is %s, before it is buffered', (_title, length, reason) => {
    const lengths: number[] = [];
    const bounds = { ...BOUNDS, headBytes: 0, blockBytesMin: 3, blockBytesMax: 5 };
    const reader = new FrameReader(bounds, (_head, bytes) => lengths.push(bytes));
    const framed = frameBlocks([new Uint8Array(4), new Uint8Array(length)]);
    expect(failureOf(() => [...reader.read(framed)])).toMatchObject({ field: 'frames[1]', reason });
    expect(lengths).toEqual([4]);
  });
});
