import { ATTEMPT_MAX } from '../../consensus.ts';
import { type AccountId, invariant } from '../../protocol/index.ts';
import type { Genesis } from './genesis.ts';

/**
 * The account that produces a block: the producers take turns by block number, and with each attempt the turn passes to
 * the next of them.
 *
 * @param attempt how many producers were passed over, since they had no block of this number in time
 */
export function producerOf(
  { producers }: Pick<Genesis, 'producers'>,
  number: number,
  attempt = 0,
): AccountId {
  const id = producers[(number + attempt) % producers.length];
  invariant(id !== undefined, 'a checked genesis has producers');
  return id;
}

/**
 * Seconds that lie at least between the time stamps of a block of an attempt and of the block before it: as many whole
 * ones as the turns that were missed, and its own, take. None are asked of the first attempt.
 */
export function attemptSeconds({ blockInterval }: Pick<Genesis, 'blockInterval'>, attempt: number): number {
  // Of whole milliseconds, which are exact, unlike the sums of fractions of a second.
  return attempt === 0 ? 0 : Math.ceil(((attempt + 1) * Math.round(blockInterval * 1_000)) / 1_000);
}

/** The attempts of a block, the least first, that are the turns of some of the producers: one for each of those. */
export function attemptsOf(
  { producers }: Pick<Genesis, 'producers'>,
  number: number,
  isHeld: (producer: AccountId) => boolean,
): number[] {
  const first = number % producers.length;
  return producers
    .flatMap((producer, index) =>
      isHeld(producer) ? [(index - first + producers.length) % producers.length] : [],
    )
    .filter((attempt) => attempt <= ATTEMPT_MAX)
    .sort((left, right) => left - right);
}
