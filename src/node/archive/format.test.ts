import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archiveOf, readArchive, streamOf } from './archive.testing.ts';
import { BLOCK_BYTES_MIN } from './archive-reader.ts';
import {
  ArchiveError,
  type ArchiveErrorCode,
  type ArchiveHeader,
  encodeChunk,
  encodeEnd,
  encodeHeader,
} from './format.ts';

const HEADER: ArchiveHeader = { chain: 'node', genesis: Uint8Array.of(9, 8, 7) };
/** The shortest blocks that there can be, and longer ones; what is in them is not looked at. */
const blockOf = (fill: number, more = 0): Uint8Array => new Uint8Array(BLOCK_BYTES_MIN + more).fill(fill);
const CHUNKS = [[blockOf(1), blockOf(2, 1)], [blockOf(3, 2)]];
const BLOCKS = new Map(CHUNKS.flat().map((block, index) => [5 + index, block]));

const chunksArbitrary = fc.array(
  fc.array(fc.uint8Array({ minLength: BLOCK_BYTES_MIN, maxLength: BLOCK_BYTES_MIN + 50 }), {
    minLength: 1,
    maxLength: 5,
  }),
  { maxLength: 5 },
);

/** Reads what must be refused; no block before the error may be another than the right one. */
async function refusalOf(bytes: Uint8Array, right = BLOCKS): Promise<ArchiveError> {
  const seen = new Map<number, Uint8Array>();
  const error = await readArchive(streamOf(bytes), seen).catch((thrown: unknown) => thrown);
  for (const [number, block] of seen) expect(block).toEqual(right.get(number));
  expect(error).toBeInstanceOf(ArchiveError);
  return error as ArchiveError;
}

describe('a whole archive', () => {
  test('default: reading returns the header and blocks that were written', async () => {
    const { header, blocks } = await readArchive(streamOf(await archiveOf(HEADER, 5, CHUNKS)));
    expect(header).toEqual(HEADER);
    expect(blocks).toEqual(BLOCKS);
  });

  test('args: no blocks, a test chain', async () => {
    const empty = await archiveOf({ ...HEADER, chain: 'test' }, 1, []);
    expect(await readArchive(streamOf(empty))).toEqual({
      header: { ...HEADER, chain: 'test' },
      blocks: new Map(),
    });
  });

  test('behavior: in whatever parts it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(
        chunksArbitrary,
        fc.integer({ min: 1, max: 200 }),
        fc.nat(1_000_000),
        async (chunks, size, from) => {
          const bytes = await archiveOf(HEADER, from + 1, chunks);
          const { blocks } = await readArchive(streamOf(bytes, size));
          const expected = chunks.flat().map((block, index) => [from + 1 + index, block] as const);
          expect(blocks).toEqual(new Map(expected));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a cut archive', () => {
  test('error: cut after every byte', async () => {
    const bytes = await archiveOf(HEADER, 5, CHUNKS);
    expect((await refusalOf(bytes.subarray(0, 0))).code).toBe('NOT_AN_ARCHIVE');
    for (let length = 1; length < bytes.length; length += 1) {
      expect([length, (await refusalOf(bytes.subarray(0, length))).code]).toEqual([length, 'CUT']);
    }
  });

  test('error: the message states what is missing', async () => {
    const bytes = await archiveOf(HEADER, 5, CHUNKS);
    expect((await refusalOf(bytes.subarray(0, bytes.length - 1))).message).toBe(
      'the archive is cut off before the end of block 8',
    );
  });
});

describe('a damaged archive', () => {
  test('error: each bit of it flipped', async () => {
    const bytes = await archiveOf(HEADER, 5, CHUNKS);
    for (let position = 0; position < bytes.length * 8; position += 1) {
      const damaged = Uint8Array.from(bytes);
      const index = position >> 3;
      damaged[index] = (damaged[index] ?? 0) ^ (1 << (position & 7));
      await refusalOf(damaged);
    }
  });

  test('error: bytes of it replaced', async () => {
    await fc.assert(
      fc.asyncProperty(
        chunksArbitrary,
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        async (chunks, at, noise) => {
          const bytes = await archiveOf(HEADER, 1, chunks);
          const damaged = Uint8Array.from(bytes);
          damaged.set(noise.subarray(0, Math.max(0, bytes.length - (at % bytes.length))), at % bytes.length);
          fc.pre(!Buffer.from(damaged).equals(bytes));
          await refusalOf(damaged, new Map(chunks.flat().map((block, index) => [1 + index, block])));
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each<[what: string, code: ArchiveErrorCode, parts: () => Promise<Uint8Array>[]]>([
    ['another kind of file', 'NOT_AN_ARCHIVE', () => [bytesOf(Buffer.from('PK\x03\x04'.repeat(20)))]],
    ['bytes after the end mark', 'DAMAGED', () => [archiveOf(HEADER, 5, CHUNKS), bytesOf(Uint8Array.of(0))]],
    ['a gap', 'DAMAGED', () => [header(), chunk(5), chunk(7), end(5, 2)]],
    ['a chunk twice', 'DAMAGED', () => [header(), chunk(5), chunk(5), end(5, 2)]],
    ['an end mark of more blocks', 'DAMAGED', () => [header(), chunk(5), end(5, 2)]],
    ['an end mark of other blocks', 'DAMAGED', () => [header(), chunk(5), end(6, 1)]],
    ['a tail of zeros', 'DAMAGED', () => [header(), chunk(5), bytesOf(new Uint8Array(100))]],
    ['a newer version', 'OTHER_FORMAT', () => [header().then((bytes) => bytes.fill(3, 8, 9))]],
    ['an earlier version', 'OTHER_FORMAT', () => [header().then((bytes) => bytes.fill(1, 8, 9))]],
    ['block 0', 'DAMAGED', () => [header(), chunk(0), end(0, 1)]],
  ])('error: %s', async (_, code, parts) => {
    expect((await refusalOf(Buffer.concat(await Promise.all(parts())))).code).toBe(code);
  });
});

const header = async (): Promise<Uint8Array> => encodeHeader(HEADER);
const chunk = (first: number): Promise<Uint8Array> => encodeChunk(first, [BLOCKS.get(first) ?? blockOf(0)]);
const end = async (first: number, count: number): Promise<Uint8Array> => encodeEnd(first, count);
const bytesOf = async (bytes: Uint8Array): Promise<Uint8Array> => bytes;
