import type { SnapshotPart } from '../../ledger/index.ts';
import type { BlockInterval, ChainControl, ControlState } from '../../rpc/index.ts';

/** The mode of mining, and the mode that it returns to. */
export type Mining = Pick<ControlState, 'mode' | 'interval' | 'resumes'>;

/** Returns the mode of a node that makes blocks at an interval, or at once without one. */
export function firstMining(interval: BlockInterval | undefined, isOn: boolean): Mining {
  const resumes = interval === undefined ? 'instant' : 'interval';
  return { mode: isOn ? resumes : 'manual', interval, resumes };
}

/** Returns the mode after `miner_start`: as before mining was stopped. */
export function started(mining: Mining): Mining {
  return mining.mode === 'manual' ? { ...mining, mode: mining.resumes } : mining;
}

/** Returns the mode after `miner_stop`: blocks are made on request. */
export function stopped(mining: Mining): Mining {
  return mining.mode === 'manual' ? mining : { ...mining, mode: 'manual', resumes: mining.mode };
}

/** Switches automine; without it blocks come at the interval that was set before, if any. */
export function automined(mining: Mining, isOn: boolean): Mining {
  if (isOn) return { ...mining, mode: 'instant', resumes: 'instant' };
  if (mining.mode !== 'instant') return mining;
  return { ...mining, mode: mining.interval === undefined ? 'manual' : 'interval' };
}

/** Sets the interval, which ends automine; no interval ends nothing but an interval. */
export function timed(mining: Mining, interval: BlockInterval | undefined): Mining {
  if (interval !== undefined) return { mode: 'interval', interval, resumes: 'interval' };
  return { mode: mining.mode === 'interval' ? 'manual' : mining.mode, interval, resumes: 'instant' };
}

/** Returns the mode of mining as a part of a snapshot; the ledger's part has times and the gas limit. */
export function miningPart(control: ChainControl): SnapshotPart {
  const first = control.state;
  return {
    name: 'mining',
    hold: () => {
      const { mode, interval, resumes } = control.state;
      return { mode, interval, resumes };
    },
    takeUp: (held) => {
      const { timing, gasLimit } = control.state;
      control.restore({ ...readMining(held, first), timing, gasLimit });
    },
  };
}

/** Reads a mode; the first one in place of a missing or malformed one. */
function readMining(held: unknown, { mode, interval, resumes }: Mining): Mining {
  const read: Partial<Record<keyof Mining, unknown>> = Object(held);
  const isMode = read.mode === 'instant' || read.mode === 'interval' || read.mode === 'manual';
  const isResumed = read.resumes === 'instant' || read.resumes === 'interval';
  if (!isMode || !isResumed) return { mode, interval, resumes };
  return {
    mode: read.mode as Mining['mode'],
    interval: readInterval(read.interval),
    resumes: read.resumes as Mining['resumes'],
  };
}

function readInterval(held: unknown): BlockInterval | undefined {
  const { shortestMs, longestMs }: Partial<Record<keyof BlockInterval, unknown>> = Object(held);
  if (typeof shortestMs !== 'number' || typeof longestMs !== 'number') return undefined;
  return { shortestMs, longestMs };
}
