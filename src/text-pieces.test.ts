import { expect, test } from 'vitest';
import { TextPieces } from './text-pieces.ts';

const LINE = 'a line of some length, which comes again and again\n';

test('default: text comes out as it went in, and once', () => {
  const pieces = new TextPieces();
  for (let count = 0; count < 5_000; count += 1) pieces.add(LINE);
  expect(pieces.length).toBe(5_000 * LINE.length);
  expect(pieces.takeText()).toBe(LINE.repeat(5_000));
  expect([pieces.length, pieces.takeText()]).toEqual([0, '']);
});

test('behavior: pieces are bytes outside of the heap, not too many of them', () => {
  const pieces = new TextPieces();
  for (let count = 0; count < 5_000; count += 1) pieces.add(LINE);
  const taken = [...pieces.take()];
  expect(Buffer.concat(taken).toString()).toBe(LINE.repeat(5_000));
  expect(taken.length).toBeLessThan(10);
});
