/** The sets of EVM rules that the engine knows, the oldest first. */
export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

/** One set of EVM rules. */
export type Hardfork = (typeof HARDFORKS)[number];

/** The rules that hold when nothing else is asked for. */
export const LATEST_HARDFORK: Hardfork = 'osaka';

/** Whether the rules of a fork hold: it is `first` or a later one. */
export function isSince(hardfork: Hardfork, first: Hardfork): boolean {
  return HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(first);
}
