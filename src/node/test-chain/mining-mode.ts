import { z } from 'zod';
import type { SnapshotPart } from '../../ledger/index.ts';
import { type BlockInterval, type ChainControl, type ControlState, isAutomined } from '../../rpc/index.ts';

export type Mining = Pick<ControlState, 'mode' | 'interval' | 'resumes'>;

/**
 * Returns the initial mode: blocks at an interval, or immediate blocks without one.
 * @param mixes true for immediate blocks beside those of an interval
 */
export function firstMining(interval: BlockInterval | undefined, isOn: boolean, mixes = false): Mining {
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

/** The mode in a snapshot. */
const storedMining = z.object({
  mode: z.enum(['instant', 'interval', 'mixed', 'manual']),
  interval: z.object({ shortestMs: z.number(), longestMs: z.number() }).optional().catch(undefined),
  resumes: z.enum(['instant', 'interval', 'mixed']),
});

/** Returns the mining mode as a part of snapshots. The ledger's part has times and the gas limit. */
export function miningPart(control: ChainControl): SnapshotPart {
  const capture = (): Mining => {
    const { mode, interval, resumes } = control.state;
    return { mode, interval, resumes };
  };
  // The initial mode replaces a missing or malformed one.
  const mining = storedMining.catch(capture());
  return {
    name: 'mining',
    capture,
    restore: (value) => {
      const { timing, gasLimit } = control.state;
      control.restore({ interval: undefined, ...mining.parse(value), timing, gasLimit });
    },
  };
}
