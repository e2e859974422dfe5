import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FRAMES_COST_MAX, MESSAGE_COST } from '../framing.ts';
import { frame } from './frames.testing.ts';
import { FrameWalk } from './frames.ts';

/** Walks through bytes in chunks; returns the ends of frames, and the counts. */
function walkThrough(pieces: readonly Buffer[]) {
  const walk = new FrameWalk();
  const counted = { messages: 0, fragments: 0, ends: [] as number[] };
  let before = 0;
  for (const piece of pieces) {
    for (let rest = piece; rest.length > 0; ) {
      const { end, wholeEnd, messages, fragments } = walk.walk(rest);
      if (wholeEnd > 0) counted.ends.push(before + wholeEnd);
      counted.messages += messages;
      counted.fragments += fragments;
      before += end;
      rest = rest.subarray(end);
    }
  }
  return counted;
}

test('default: the ends of frames of all lengths', () => {
  const lengths = [0, 1, 125, 126, 65_535, 65_536, 70_000];
  for (const length of lengths) {
    const one = frame(0x81, 'x'.repeat(length));
    const walked = new FrameWalk().walk(Buffer.concat([one, frame(0x01).subarray(0, 3)]));
    const end = one.length + 3;
    expect(walked).toEqual({ end, wholeEnd: one.length, messages: 1, fragments: 0, isClosed: false });
  }
});

test('behavior: many messages, and many frames without one, are walked in limited steps', () => {
  const messages = FRAMES_COST_MAX / MESSAGE_COST;
  expect(new FrameWalk().walk(Buffer.alloc(6 * 1_000, frame(0x81)))).toMatchObject({
    ...{ end: 6 * messages, messages, fragments: 0 },
  });
  expect(new FrameWalk().walk(Buffer.alloc(6 * 1_000, frame(0x00)))).toMatchObject({
    ...{ end: 6 * FRAMES_COST_MAX, messages: 0, fragments: FRAMES_COST_MAX },
  });
  expect(new FrameWalk().walk(Buffer.alloc(6 * 1_000, frame(0x8a)))).toMatchObject({
    ...{ end: 6 * FRAMES_COST_MAX, messages: 0, fragments: 0 },
  });
});

test('behavior: the close frame is reported, and the bytes after it are not walked', () => {
  const close = frame(0x88);
  expect(new FrameWalk().walk(Buffer.concat([frame(0x81), close, frame(0x81)]))).toMatchObject({
    ...{ end: 12, wholeEnd: 12, isClosed: true },
  });
});

test('behavior: the result does not depend on how the bytes are split', () => {
  const oneFrame = fc
    .record({ first: fc.constantFrom(0x81, 0x01, 0x00, 0x80, 0x89, 0x8a), length: fc.nat({ max: 300 }) })
    .map(({ first, length }) => frame(first, 'x'.repeat(first >= 0x88 ? Math.min(length, 125) : length)));
  fc.assert(
    fc.property(fc.array(oneFrame), fc.array(fc.nat({ max: 400 })), (frames, lengths) => {
      const bytes = Buffer.concat(frames);
      const pieces = [];
      let sent = 0;
      for (const length of lengths) {
        pieces.push(bytes.subarray(sent, sent + length));
        sent += length;
      }
      pieces.push(bytes.subarray(sent));
      const { messages, fragments, ends } = walkThrough(pieces);
      expect({ messages, fragments, end: ends.at(-1) ?? 0 }).toEqual({
        messages: frames.filter(([first = 0]) => first >= 0x80 && first !== 0x8a).length,
        fragments: frames.filter(([first = 0]) => first < 0x80).length,
        end: bytes.length,
      });
    }),
  );
});
