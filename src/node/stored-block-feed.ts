import { serializedBlock, storedBlock } from '../ledger/index.ts';
import { frameBlocks } from '../protocol/index.ts';
import { type BlockFeed, PatchedBlockError } from '../server/index.ts';
import type { StoreReader } from '../store/index.ts';

/** Bytes of blocks in one response of the block feed (4 MiB); a longer block is sent alone. */
export const BLOCK_FEED_BYTES_MAX = 4 * 1024 * 1024;
/** Blocks in one response of the block feed. */
export const BLOCK_FEED_BLOCKS_MAX = 1_000;

/**
 * Serves the blocks of a store from a number on, as many as the bounds allow and at least one existing block. It does
 * not serve the patches of a chain in test mode, and so rejects a block after a patch, which other nodes could not add.
 */
export function blockFeedOf(
  store: StoreReader,
  serialized: typeof serializedBlock = serializedBlock,
): BlockFeed {
  return (from) => {
    const head = store.head() ?? 0;
    const blocks: Uint8Array[] = [];
    let total = 0;
    for (let number = from; number <= head && blocks.length < BLOCK_FEED_BLOCKS_MAX; number += 1) {
      const block = serialized(store, number);
      if (block === undefined) break;
      if (store.patchCount(number - 1) > 0) {
        if (blocks.length > 0) break;
        throw new PatchedBlockError(number);
      }
      total += block.length;
      if (blocks.length > 0 && total > BLOCK_FEED_BYTES_MAX) break;
      blocks.push(block);
    }
    return { head, headId: storedBlock(store, head)?.id, bytes: frameBlocks(blocks) };
  };
}
