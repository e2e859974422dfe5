import type { Chain, MovableClock } from '../chain/index.ts';
import { type Genesis, producerOf } from '../genesis/index.ts';
import type { BlockInputs } from './apply-block.ts';
import { randAfter } from './block-assembly.ts';

/** What the beginning of the next block follows from. */
export interface NextBlockParts {
  readonly chain: Chain;
  readonly clock: MovableClock;
  readonly genesis: Genesis;
}

/**
 * What the next block would begin with if it were made now.
 *
 * @param timestamp of the block, not before the head's, in Unix seconds; absent: what the clock says
 */
export function nextInputs({ chain, clock, genesis }: NextBlockParts, timestamp?: number): BlockInputs {
  const head = chain.head();
  const number = head.number + 1;
  return {
    number,
    timestamp: timestamp ?? clock.nextTimestamp(head.header.timestamp),
    account: producerOf(genesis, number),
    rand: randAfter(head.header.edSignature),
  };
}
