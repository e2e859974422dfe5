/** Block production: immediately after a transaction, at an interval, both, or on request. */
export type MiningMode = 'instant' | 'interval' | 'mixed' | 'manual';

/** Milliseconds between blocks. If the bounds differ, each block draws a random value between them. */
export interface BlockInterval {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/** Times at which blocks are made. The ledger makes those of transactions; its owner has the timer of the interval. */
export interface Mining {
  readonly mode: MiningMode;
  /** Last set interval, even in another mode; undefined: none. */
  readonly interval: BlockInterval | undefined;
  /** Mode that `started` restores. */
  readonly resumes: Exclude<MiningMode, 'manual'>;
}

/**
 * Beginning of a ledger's block production: by a mode of a test chain; `scheduled`, when its owner says, and
 * transactions are accepted without a key, since other producers receive them; or `none`: blocks come from other nodes,
 * and transactions are not accepted.
 */
export type FirstMining = Mining | MiningMode | 'scheduled' | 'none';

/** Returns the mining that a ledger begins with. */
export function miningOf(first: FirstMining): Mining {
  if (typeof first === 'object') return first;
  const mode = first === 'scheduled' ? 'interval' : first === 'none' ? 'manual' : first;
  return { mode, interval: undefined, resumes: mode === 'manual' ? 'instant' : mode };
}

/** Returns true for a mode with a block for every transaction at once. */
export function isAutomined(mode: MiningMode): boolean {
  return mode === 'instant' || mode === 'mixed';
}

/** Returns true for a mode with blocks at an interval. */
export function hasInterval(mode: MiningMode): boolean {
  return mode === 'interval' || mode === 'mixed';
}

/**
 * Returns the initial mode: blocks at an interval, or immediate blocks without one.
 * @param mixes true for immediate blocks beside those of an interval
 */
export function firstMining(interval: BlockInterval | undefined, isOn = true, mixes = false): Mining {
  const resumes = interval === undefined ? 'instant' : mixes ? 'mixed' : 'interval';
  return { mode: isOn ? resumes : 'manual', interval, resumes };
}

/** Returns the mode after `miner_start`: the one before mining was stopped. */
export function started(mining: Mining): Mining {
  return mining.mode === 'manual' ? { ...mining, mode: mining.resumes } : mining;
}

/** Returns the mode after `miner_stop`: blocks are made on request. */
export function stopped(mining: Mining): Mining {
  return mining.mode === 'manual' ? mining : { ...mining, mode: 'manual', resumes: mining.mode };
}

/** Switches automine. Without it blocks are made at the previous interval, if any. @param mixes as for `firstMining` */
export function automined(mining: Mining, isOn: boolean, mixes: boolean): Mining {
  const { mode, interval } = mining;
  if (isOn) {
    const next = mixes && interval !== undefined ? 'mixed' : 'instant';
    return { ...mining, mode: next, resumes: next };
  }
  if (!isAutomined(mode)) return mining;
  return { ...mining, mode: interval === undefined ? 'manual' : 'interval' };
}

/** Sets the interval, which ends automine unless both mix. Undefined ends interval mining only. */
export function timed({ mode }: Mining, interval: BlockInterval | undefined, mixes: boolean): Mining {
  if (interval !== undefined) {
    const next = mixes && isAutomined(mode) ? 'mixed' : 'interval';
    return { mode: next, interval, resumes: next };
  }
  const rest = isAutomined(mode) ? 'instant' : 'manual';
  return { mode: rest, interval, resumes: 'instant' };
}

const MODES: readonly MiningMode[] = ['instant', 'interval', 'mixed', 'manual'];

/** Reads mining from JSON; returns undefined if it is missing or malformed. */
export function readMining(value: unknown): Mining | undefined {
  const given: Partial<Record<keyof Mining, unknown>> = Object(value);
  const mode = MODES.find((one) => one === given.mode);
  const resumes = MODES.find((one) => one === given.resumes);
  if (mode === undefined || resumes === undefined || resumes === 'manual') return undefined;
  const { shortestMs, longestMs }: Partial<Record<keyof BlockInterval, unknown>> = Object(given.interval);
  const isInterval = typeof shortestMs === 'number' && typeof longestMs === 'number';
  return { mode, interval: isInterval ? { shortestMs, longestMs } : undefined, resumes };
}
