/** The sets of EVM rules that the engine knows, the oldest first. */
export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun'] as const;

/** One set of EVM rules. */
export type Hardfork = (typeof HARDFORKS)[number];

/** The rules that hold when nothing else is asked for. */
export const LATEST_HARDFORK: Hardfork = 'cancun';
