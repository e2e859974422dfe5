import { STORED_BATCH_BLOCKS_MAX } from '../../limits.ts';
import { type Block, invariant } from '../../protocol/index.ts';
import type { LedgerCore } from '../core.ts';
import { type AddedBlock, atOnce } from './block-build.ts';
import type { BlockProducer } from './block-producer.ts';

/**
 * Adds empty blocks and stores them in one commit. If it throws, none is stored, and the state in memory is unchanged.
 * @param most greatest number of blocks; at least one
 * @param until moment of the ledger's time after which only the first is begun
 * @param add adds the next one, by its index
 * @throws as `add`, and as storing a block
 */
export function storeBatch(
  { store, chain, origin, time }: LedgerCore,
  most: number,
  until: number,
  add: (index: number) => AddedBlock,
): AddedBlock[] {
  const count = Math.min(most, STORED_BATCH_BLOCKS_MAX);
  const added: AddedBlock[] = [];
  try {
    store.inOneCommit(count, () => {
      do added.push(add(added.length));
      while (added.length < count && time.now() < until);
    });
  } catch (error) {
    // The caches contain blocks that were not stored.
    origin.state.reload();
    chain.reload();
    throw error;
  }
  return added;
}

/** Imports blocks of another node, with all checks, and stores them together. See `storeBatch`. */
export function importBatch(
  core: LedgerCore,
  producer: BlockProducer,
  blocks: readonly Block[],
  until: number,
): AddedBlock[] {
  return storeBatch(core, blocks.length, until, (index) => {
    const block = blocks[index];
    invariant(block !== undefined, 'no more blocks are added than given');
    return atOnce(producer.import(block));
  });
}
