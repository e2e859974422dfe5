import { TIMESTAMP_MAX } from '../../limits.ts';
import type { Chain, Clock } from '../chain/index.ts';
import { type Genesis, producerOf } from '../genesis/index.ts';
import type { BlockInputs } from './apply-block.ts';
import { randAfter } from './block-assembly.ts';

export interface NextBlockParts {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly genesis: Genesis;
}

/**
 * The inputs of the next block, if it were made now.
 *
 * @param now Unix seconds; absent: the clock's
 */
export function nextInputs({ chain, clock, genesis }: NextBlockParts, now = clock.now()): BlockInputs {
  const head = chain.head();
  const timestamp = Math.min(Math.max(head.header.timestamp, now), TIMESTAMP_MAX);
  const number = head.number + 1;
  return {
    number,
    timestamp,
    account: producerOf(genesis, number),
    rand: randAfter(head.header.edSignature),
  };
}
