import { CLOCK_TIME_MAX, STORED_TOGETHER_MAX } from '../../limits.ts';
import type { Store } from '../../store/index.ts';
import type { Stopwatch } from '../../time.ts';
import type { BlockSummary, Chain, MovableClock } from '../chain/index.ts';
import { type AddedBlock, atOnce } from './adding-block.ts';
import type { BlockProducer } from './block-producer.ts';

/** What blocks without transactions are made with. */
export interface EmptyBlocksParts {
  readonly store: Store;
  readonly chain: Chain;
  readonly producer: BlockProducer;
  readonly clock: MovableClock;
  readonly time: Stopwatch;
}

/** How many blocks are made, and when. */
export interface EmptyBlocksOptions {
  readonly most: number;
  /** Moment of the ledger's time after which none is begun but the first. */
  readonly until: number;
  /** Seconds from each block to the next; undefined: each has the time that the clock says. */
  readonly step: number | undefined;
}

/** Time stamp of the block so many seconds after another one, as late as a block may be. */
export function timeAfter({ header }: BlockSummary, step: number | undefined): number | undefined {
  if (step === undefined) return undefined;
  return Math.max(header.timestamp, Math.min(header.timestamp + step, CLOCK_TIME_MAX));
}

/**
 * Makes blocks without transactions, and stores them together. When this throws, none is stored, and what is held in
 * memory of the chain is wrong.
 */
export function addEmptyBlocks(
  { store, chain, producer, clock, time }: EmptyBlocksParts,
  { most, until, step }: EmptyBlocksOptions,
): AddedBlock[] {
  const { timing } = clock;
  const count = Math.min(most, STORED_TOGETHER_MAX);
  const added: AddedBlock[] = [];
  try {
    store.together(count, () => {
      do {
        const block = atOnce(producer.produce([], { timestamp: timeAfter(chain.head(), step) }));
        clock.passed(block.summary.header.timestamp);
        added.push(block);
      } while (added.length < count && time.now() < until);
    });
  } catch (error) {
    clock.timing = timing;
    throw error;
  }
  return added;
}
