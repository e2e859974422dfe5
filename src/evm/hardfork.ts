/** The sets of EVM rules that the engine knows, the oldest first. */
export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

/** A set of EVM rules. */
export type Hardfork = (typeof HARDFORKS)[number];

/** The default rules. */
export const LATEST_HARDFORK: Hardfork = 'osaka';

/** Tests whether a fork is `first` or a later one. */
export function isSince(hardfork: Hardfork, first: Hardfork): boolean {
  return HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(first);
}
