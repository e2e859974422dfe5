import { CLOCK_TIME_MAX } from '../../consensus.ts';
import type { BlockSummary } from '../chain/records.ts';
import type { LedgerCore } from '../core.ts';
import { type AddedBlock, atOnce } from './adding-block.ts';
import type { BlockProducer } from './block-producer.ts';
import { storeTogether } from './stored-together.ts';

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

/** Makes blocks without transactions, and stores them together. See `storeTogether`; the clock, too, is as it was. */
export function addEmptyBlocks(
  core: LedgerCore,
  producer: BlockProducer,
  { most, until, step }: EmptyBlocksOptions,
): AddedBlock[] {
  const { chain, clock } = core;
  const { timing } = clock;
  try {
    return storeTogether(core, most, until, () => {
      const block = atOnce(producer.produce([], { timestamp: timeAfter(chain.head(), step) }));
      clock.passed(block.summary.header.timestamp);
      return block;
    });
  } catch (error) {
    clock.setTiming(timing);
    throw error;
  }
}
