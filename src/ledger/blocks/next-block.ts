import type { Chain } from '../chain/chain.ts';
import type { MovableClock } from '../chain/clock.ts';
import type { OriginSource } from '../genesis/chain-parameters.ts';
import { producerOf } from '../genesis/turns.ts';
import type { BlockInputs } from './apply-block.ts';
import { randAfter } from './block-assembly.ts';

/** What follows of the next block from what is there: its number, whose turn it is, and its time. */
export interface NextBlockParts extends OriginSource {
  readonly chain: Chain;
  readonly clock: MovableClock;
}

/** What can be chosen of the next block. */
export interface NextBlockOptions {
  /** How many producers are passed over; absent: none. */
  readonly attempt?: number | undefined;
  /** Time stamp, not before the head's, in Unix seconds; absent: what the clock says. */
  readonly timestamp?: number | undefined;
}

/** The inputs of the next block, if it were made now. */
export function nextInputs(
  { chain, clock, origin }: NextBlockParts,
  { attempt = 0, timestamp }: NextBlockOptions = {},
): BlockInputs {
  const head = chain.head();
  const number = head.number + 1;
  return {
    number,
    attempt,
    timestamp: timestamp ?? clock.nextTimestamp(head.header.timestamp),
    account: producerOf(origin.genesis, number, attempt),
    rand: chain.nextRand() ?? randAfter(head.header.edSignature),
  };
}
