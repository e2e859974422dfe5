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

test('behavior: what is too long to be kept overflows, in its order, and nothing is kept', () => {
  const texts: string[] = [];
  const overflow = { keptMax: 100_000, write: (piece: Buffer) => void texts.push(piece.toString('latin1')) };
  const pieces = new TextPieces(overflow);
  for (let count = 0; count < 1_000; count += 1) pieces.add(LINE);
  expect([pieces.hasOverflowed(), texts]).toEqual([false, []]);
  for (let count = 1_000; count < 5_000; count += 1) pieces.add(LINE);
  expect(pieces.hasOverflowed()).toBe(true);
  expect(texts.join('')).toBe(LINE.repeat(5_000));
  expect(pieces.takeText()).toBe('');
});

test('error: who takes the overflow ends the work', () => {
  const write = (): never => {
    throw new RangeError('enough');
  };
  const pieces = new TextPieces({ keptMax: 0, write });
  expect(() => pieces.add(LINE.repeat(5_000))).toThrow('enough');
});
