import type { Chain, MovableClock } from '../chain/index.ts';
import { type Genesis, producerOf } from '../genesis/index.ts';
import type { BlockInputs } from './apply-block.ts';
import { randAfter } from './block-assembly.ts';

export interface NextBlockParts {
  readonly chain: Chain;
  readonly clock: MovableClock;
  readonly genesis: Genesis;
}

/**
 * The inputs of the next block, if it were made now.
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
    rand: chain.nextRand() ?? randAfter(head.header.edSignature),
  };
}
