import type { BlockInterval, ControlState } from '../../rpc/index.ts';

/** When blocks are made, and what that goes back to. */
export type Mining = Pick<ControlState, 'mode' | 'interval' | 'resumes'>;

/** How a node begins that makes blocks at an interval, or at once without one. */
export function firstMining(interval: BlockInterval | undefined, isOn: boolean): Mining {
  const resumes = interval === undefined ? 'instant' : 'interval';
  return { mode: isOn ? resumes : 'manual', interval, resumes };
}

/** What `miner_start` brings about: blocks are made again as before it was stopped. */
export function started(mining: Mining): Mining {
  return mining.mode === 'manual' ? { ...mining, mode: mining.resumes } : mining;
}

/** What `miner_stop` brings about: blocks are made for calls that ask for them. */
export function stopped(mining: Mining): Mining {
  return mining.mode === 'manual' ? mining : { ...mining, mode: 'manual', resumes: mining.mode };
}

/** Without automine blocks come at the interval that was set before, if one was. */
export function automined(mining: Mining, isOn: boolean): Mining {
  if (isOn) return { ...mining, mode: 'instant', resumes: 'instant' };
  if (mining.mode !== 'instant') return mining;
  return { ...mining, mode: mining.interval === undefined ? 'manual' : 'interval' };
}

/** An interval ends automine; no interval ends nothing but an interval. */
export function timed(mining: Mining, interval: BlockInterval | undefined): Mining {
  if (interval !== undefined) return { mode: 'interval', interval, resumes: 'interval' };
  return { mode: mining.mode === 'interval' ? 'manual' : mining.mode, interval, resumes: 'instant' };
}
