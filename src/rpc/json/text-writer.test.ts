import { expect, test } from 'vitest';
import { TextWriter } from './text-writer.ts';

const LINE = 'a line of some length, which comes again and again\n';

test('default: returns the added text unchanged, and only once', () => {
  const writer = new TextWriter();
  for (let count = 0; count < 5_000; count += 1) writer.add(LINE);
  expect(writer.length).toBe(5_000 * LINE.length);
  expect(writer.body().text).toBe(LINE.repeat(5_000));
  expect([writer.length, writer.body().text]).toEqual([0, '']);
});

test('behavior: writer are bytes outside of the heap, not too many of them', () => {
  const writer = new TextWriter();
  for (let count = 0; count < 5_000; count += 1) writer.add(LINE);
  const body = writer.body();
  expect(body.text).toBe(LINE.repeat(5_000));
  expect(body.chunks.length).toBeLessThan(10);
});

test('behavior: too long a text overflows in order and is not buffered', () => {
  const texts: string[] = [];
  const overflow = {
    bufferedMax: 100_000,
    write: (piece: Buffer) => void texts.push(piece.toString('latin1')),
  };
  const writer = new TextWriter(overflow);
  for (let count = 0; count < 1_000; count += 1) writer.add(LINE);
  expect(texts).toEqual([]);
  for (let count = 1_000; count < 5_000; count += 1) writer.add(LINE);
  expect(writer.body().text).toBe('');
  expect(texts.join('')).toBe(LINE.repeat(5_000));
});

test('error: the overflow aborts the text', () => {
  const write = (): never => {
    throw new RangeError('enough');
  };
  const writer = new TextWriter({ bufferedMax: 0, write });
  expect(() => writer.add(LINE.repeat(5_000))).toThrow('enough');
});
