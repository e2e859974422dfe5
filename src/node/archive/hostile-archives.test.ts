import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BlockRejectedError, InvalidGenesisError, serializedBlock } from '../../ledger/index.ts';
import { blockCodec, decode, encode } from '../../protocol/index.ts';
import { LimitError } from '../../rpc/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { makeChain, TestFolders, testJob } from '../chain.testing.ts';
import { exportTo } from './archive.testing.ts';
import {
  BLOCK_BYTES_MIN,
  ByteSource,
  PATCH_BYTES_MAX,
  PATCH_BYTES_MIN,
  readHeader,
  readItems,
} from './archive-reader.ts';
import { dumpGuard } from './chain-dumps.ts';
import { ArchiveError, encodeEntry, encodeHeader } from './format.ts';
import { restoreChain } from './import.ts';

/** More archives of another seed: `ARCHIVE_RUNS=20000 ARCHIVE_SEED=7 npx vitest run` with the name of this file. */
const RUNS = Number(process.env.ARCHIVE_RUNS ?? 60);
const SEED = Number(process.env.ARCHIVE_SEED ?? 1);
/** Bytes that reading one of these archives may have counted at a time. */
const HELD_BYTES_MAX = 4 * 1024 * 1024;

const folders = new TestFolders();
let genesis: Uint8Array;
/** The blocks of a chain, by number from 1 on. */
const blocks: Uint8Array[] = [];

beforeAll(async () => {
  const dataDir = folders.folder();
  await makeChain(dataDir, { blocks: 6 });
  const file = folders.unused('archive');
  await exportTo(file, { dataDir }, testJob());
  const source = new ByteSource(createReadStream(file));
  ({ genesis } = await readHeader(source));
  for await (const item of readItems(source)) if (item.kind === 'block') blocks.push(item.bytes);
});
afterAll(() => folders.clean());

/** A chunk as it is written: its fields, and a payload of which only the digest has to be right. */
interface Chunk {
  readonly kind: 'blocks' | 'patches' | 'clock' | 'end';
  readonly first: number;
  readonly count: number;
  readonly payload: Uint8Array;
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const frame = (record: Uint8Array, length = record.length): Buffer => Buffer.concat([uint32(length), record]);

/** A record: one of the chain, one of it with a bit changed or cut, or bytes of no meaning. */
const record = (index: number): fc.Arbitrary<Uint8Array> => {
  const right = fc.constant(blocks[index % blocks.length] ?? new Uint8Array());
  const changed = fc.tuple(right, fc.nat()).map(([bytes, place]) => {
    const copy = Uint8Array.from(bytes);
    const bit = place % (copy.length * 8);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return copy;
  });
  const cut = fc.tuple(right, fc.nat(400)).map(([bytes, length]) => bytes.subarray(0, length));
  const filled = fc
    .tuple(fc.constantFrom(0, 1, BLOCK_BYTES_MIN, 70_000), fc.nat(255))
    .map(([length, value]) => new Uint8Array(length).fill(value));
  return fc.oneof({ weight: 8, arbitrary: right }, changed, cut, filled, fc.uint8Array({ maxLength: 64 }));
};

const oddLength = fc.constantFrom(
  0,
  1,
  PATCH_BYTES_MIN,
  BLOCK_BYTES_MIN,
  PATCH_BYTES_MAX,
  2 ** 31,
  2 ** 32 - 1,
);
const framed = (index: number): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 12, arbitrary: record(index).map((bytes) => frame(bytes)) },
    fc.tuple(record(index), oddLength).map(([bytes, length]) => frame(bytes, length)),
    // What a few bytes of gzip become.
    fc
      .tuple(fc.constantFrom(0, 1, BLOCK_BYTES_MIN), fc.constantFrom(1_000, 30_000))
      .map(([length, count]) => Buffer.alloc((4 + length) * count, frame(new Uint8Array(length)))),
  );

/** Compresses frames: as one member of gzip, as several, with nothing between, cut, followed by more, or not at all. */
const packing: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc.oneof(
  { weight: 8, arbitrary: fc.constant((bytes: Buffer) => gzipSync(bytes)) },
  fc.nat().map((place) => (bytes: Buffer) => {
    const middle = place % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, middle), bytes.subarray(middle)].map((part) => gzipSync(part)));
  }),
  fc
    .nat(200)
    .map(
      (count) => (bytes: Buffer) =>
        Buffer.concat([...Array<Buffer>(count).fill(gzipSync('')), gzipSync(bytes)]),
    ),
  fc.nat().map((place) => (bytes: Buffer) => {
    const packed = gzipSync(bytes);
    return packed.subarray(0, place % packed.length);
  }),
  fc.uint8Array({ maxLength: 20 }).map((tail) => (bytes: Buffer) => Buffer.concat([gzipSync(bytes), tail])),
  fc.constant((bytes: Buffer) => bytes),
);

const oddCount = fc.constantFrom(0, 1, 5, 7, 1_000, 1_000_001, 2 ** 32 - 1);
const chunk: fc.Arbitrary<(next: number) => Chunk> = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    packing,
    fc.option(oddCount),
    fc.option(fc.nat(9), { freq: 8 }),
    fc.constantFrom<Chunk['kind']>('blocks', 'blocks', 'blocks', 'blocks', 'patches', 'clock'),
  )
  .chain(([length, pack, count, first, kind]) =>
    fc
      .tuple(...Array.from({ length }, (_, index) => framed(index)))
      .map((frames) => (next: number): Chunk => {
        const packed = pack(Buffer.concat(frames));
        const payload = kind === 'patches' ? Buffer.concat([uint32(1), packed]) : packed;
        return { kind, first: first ?? next, count: count ?? length, payload };
      }),
  );

async function outcomeOf(chunks: readonly Chunk[]): Promise<{ error: unknown; store: Store }> {
  const total = chunks.reduce((sum, { kind, count }) => sum + (kind === 'blocks' ? count : 0), 0) % 2 ** 32;
  const entries = [...chunks, { kind: 'end', first: 1, count: total, payload: new Uint8Array() } as const];
  const parts = entries.map(({ kind, first, count, payload }) => encodeEntry(kind, first, count, payload));
  const store = openStore({ durable: false });
  const guard = dumpGuard((bytes) => {
    if (bytes > HELD_BYTES_MAX) throw new LimitError('too much');
  });
  const stream = Readable.from([encodeHeader({ chain: 'test', genesis }), ...parts]);
  const error = await restoreChain(store, stream, guard).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, store };
}

test('behavior: valid digests with arbitrary content give valid blocks or an error with the reason', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 3 }), async (makers) => {
      let next = 1;
      const chunks = makers.map((make) => {
        const made = make(next);
        if (made.kind === 'blocks') next = made.first + made.count;
        return made;
      });
      const { error, store } = await outcomeOf(chunks);
      try {
        const isExpected = [ArchiveError, BlockRejectedError, InvalidGenesisError, LimitError].some(
          (kind) => error instanceof kind,
        );
        expect(error === undefined || isExpected, String(error)).toBe(true);
        for (let number = 1; number <= (store.head() ?? 0); number += 1) {
          expect(serializedBlock(store, number)).toEqual(blocks[number - 1]);
        }
      } finally {
        await store.close();
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test('default: without a change it is the chain', async () => {
  const payload = gzipSync(Buffer.concat(blocks.map((block) => frame(block))));
  const { error, store } = await outcomeOf([{ kind: 'blocks', first: 1, count: blocks.length, payload }]);
  expect([error, store.head()]).toEqual([undefined, blocks.length]);
  await store.close();
});

test('default: the minimum block size equals that of the format', () => {
  const empty = new Uint8Array(BLOCK_BYTES_MIN);
  expect(encode(blockCodec, decode(blockCodec, empty))).toEqual(empty);
  expect(() => decode(blockCodec, empty.subarray(1))).toThrow();
});
