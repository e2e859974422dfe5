import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedBlock } from '../ledger/index.ts';
import { unframeBlocks } from '../protocol/blocks/block-frames.testing.ts';
import { blockCodec, decode } from '../protocol/index.ts';
import { openStoreForReading, type StoreReader } from '../store/index.ts';
import { makeChain, TestFolders } from './chain.testing.ts';
import { dataFolderAt } from './data-folder.ts';
import { BLOCK_FEED_BYTES_MAX, blockFeedOf } from './stored-block-feed.ts';

const folders = new TestFolders();
let store: StoreReader;

beforeAll(async () => {
  const folder = folders.folder();
  await makeChain(folder, { blocks: 5 });
  store = openStoreForReading(dataFolderAt(folder).store);
});

afterAll(async () => {
  await store.close();
  folders.clean();
});

const numbersOf = (bytes: Uint8Array): number[] =>
  unframeBlocks(bytes).map((block) => Number(decode(blockCodec, block).round));

describe('blockFeedOf', () => {
  test('default: the blocks from a number on', () => {
    const { head, bytes } = blockFeedOf(store)(3);
    expect([head, numbersOf(bytes)]).toEqual([5, [3, 4, 5]]);
  });

  test('behavior: block 0 as well', () => {
    expect(numbersOf(blockFeedOf(store)(0).bytes)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('behavior: returns no blocks beyond the head', () => {
    const headId = storedBlock(store, 5)?.id;
    expect(headId).toHaveLength(20);
    expect(blockFeedOf(store)(6)).toEqual({ head: 5, headId, bytes: new Uint8Array() });
  });

  test('behavior: an oversized block is sent alone, and ends the batch before it', () => {
    const large = new Uint8Array(BLOCK_FEED_BYTES_MAX + 1);
    const part = (from: number): number[] => {
      const feed = blockFeedOf(store, (_store, number) => (number === 4 ? large : Uint8Array.of(number)));
      return unframeBlocks(feed(from).bytes).map(({ length }) => length);
    };
    expect([part(2), part(4), part(5)]).toEqual([[1, 1], [large.length], [1]]);
  });

  test('error: a block that follows a patch, which the feed does not contain', () => {
    const patchCount = (block: number) => (block === 6 ? 1 : 0);
    const reader = { head: () => 9, block: () => undefined, patchCount };
    const feed = blockFeedOf(reader as unknown as StoreReader, (_store, number) => Uint8Array.of(number));
    expect(unframeBlocks(feed(4).bytes)).toEqual([4, 5, 6].map((number) => Uint8Array.of(number)));
    expect(() => feed(7)).toThrow(
      'block 7 follows changes of the state by test methods, which blocks do not contain',
    );
    expect(unframeBlocks(feed(8).bytes)).toHaveLength(2);
  });

  test('behavior: no more blocks than the bound', () => {
    const many = { head: () => 5_000, block: () => undefined, patchCount: () => 0 };
    const feed = blockFeedOf(many as unknown as StoreReader, () => Uint8Array.of(1));
    expect(unframeBlocks(feed(1).bytes)).toHaveLength(1_000);
  });
});
