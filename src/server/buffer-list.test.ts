import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BufferList, COALESCED_CHUNK_BYTES } from './buffer-list.ts';

/** Bytes that are made for a text that comes in pieces of some sizes, and how many pieces they are. */
function gather(sizes: readonly number[]): { whole: Buffer; pieces: readonly Buffer[]; made: number } {
  const gathered = new BufferList();
  let sent = 0;
  for (const size of sizes) {
    gathered.add(Buffer.from(Uint8Array.from({ length: size }, (_, index) => sent + index)));
    sent += size;
  }
  expect(gathered.length).toBe(sent);
  const pieces = gathered.take();
  expect(gathered.length).toBe(0);
  const buffers = new Set(pieces.map(({ buffer }) => buffer));
  return {
    whole: Buffer.concat(pieces),
    pieces,
    made: [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}

test('default: returns the added bytes in order', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 70_000 }));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 20 }), (sizes) => {
      const { whole, pieces } = gather(sizes);
      const length = sizes.reduce((sum, each) => sum + each, 0);
      expect(whole.equals(Buffer.from(Uint8Array.from({ length }, (_, index) => index)))).toBe(true);
      expect(pieces.every((piece) => piece.length > 0)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('behavior: bytes that arrive one by one use about their own size in memory', () => {
  const count = 200_000;
  const { pieces, made } = gather(new Array(count).fill(1));
  expect(pieces.length).toBeLessThan(20);
  // In addition to the text: one buffer, and Node's pool for the first byte.
  expect(made).toBeLessThan(count + 2 * COALESCED_CHUNK_BYTES);
});

test('behavior: alternating large and small chunks use about their own size in memory', () => {
  const sizes = new Array(40).fill([COALESCED_CHUNK_BYTES / 2, 1]).flat();
  const { whole, pieces, made } = gather(sizes);
  expect(pieces.length).toBeLessThan(sizes.length);
  expect(made).toBeLessThan(3 * whole.length);
});

test('behavior: a single chunk is not copied', () => {
  const gathered = new BufferList();
  const piece = Buffer.from('short');
  gathered.add(piece);
  expect(gathered.take()).toEqual([piece]);
  gathered.add(piece);
  expect(gathered.take()[0]?.buffer).toBe(piece.buffer);
});
