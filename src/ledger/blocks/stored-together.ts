import { STORED_TOGETHER_MAX } from '../../limits.ts';
import { type Block, invariant } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { Stopwatch } from '../../time.ts';
import type { Chain } from '../chain/index.ts';
import type { HeadState } from '../state/index.ts';
import { type AddedBlock, atOnce } from './adding-block.ts';
import type { BlockProducer } from './block-producer.ts';

/** What blocks that are stored together are added with. */
export interface TogetherParts {
  readonly store: Store;
  readonly chain: Chain;
  readonly state: HeadState;
  readonly producer: BlockProducer;
  readonly time: Stopwatch;
}

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
  { store, chain, state, time }: Omit<TogetherParts, 'producer'>,
  most: number,
  until: number,
  add: (index: number) => AddedBlock,
): AddedBlock[] {
  const count = Math.min(most, STORED_TOGETHER_MAX);
  const added: AddedBlock[] = [];
  try {
    store.together(count, () => {
      do added.push(add(added.length));
      while (added.length < count && time.now() < until);
    });
  } catch (error) {
    // Blocks that are not stored were taken for the newest ones.
    state.reload();
    chain.reload();
    throw error;
  }
  return added;
}

/** Checks blocks that were made elsewhere, each as every block is, and stores them together. See `storeTogether`. */
export function importTogether(parts: TogetherParts, blocks: readonly Block[], until: number): AddedBlock[] {
  return storeTogether(parts, blocks.length, until, (index) => {
    const block = blocks[index];
    invariant(block !== undefined, 'there are as many blocks as are added');
    return atOnce(parts.producer.import(block));
  });
}
