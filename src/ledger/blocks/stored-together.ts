import { STORED_BATCH_BLOCKS_MAX } from '../../limits.ts';
import { type Block, invariant } from '../../protocol/index.ts';
import type { LedgerCore } from '../core.ts';
import { type AddedBlock, atOnce } from './block-build.ts';
import type { BlockProducer } from './block-producer.ts';

/**
 * Adds blocks without transactions, and stores them together: the disk is waited for once. When this throws, none is
 * stored, and what is held in memory is as it was.
 *
 * @param most how many there are to be; it is called with at least one
 * @param until moment of the ledger's time after which none is begun but the first
 * @param add adds the next one, by its place among them
 * @throws what `add` throws, and what storing a block throws
 */
export function storeTogether(
  { store, chain, origin, time }: LedgerCore,
  most: number,
  until: number,
  add: (index: number) => AddedBlock,
): AddedBlock[] {
  const count = Math.min(most, STORED_BATCH_BLOCKS_MAX);
  const added: AddedBlock[] = [];
  try {
    store.together(count, () => {
      do added.push(add(added.length));
      while (added.length < count && time.now() < until);
    });
  } catch (error) {
    // Blocks that are not stored were taken for the newest ones.
    origin.state.reload();
    chain.reload();
    throw error;
  }
  return added;
}

/** Checks blocks that were made elsewhere, each as every block is, and stores them together. See `storeTogether`. */
export function importTogether(
  core: LedgerCore,
  producer: BlockProducer,
  blocks: readonly Block[],
  until: number,
): AddedBlock[] {
  return storeTogether(core, blocks.length, until, (index) => {
    const block = blocks[index];
    invariant(block !== undefined, 'there are as many blocks as are added');
    return atOnce(producer.import(block));
  });
}
