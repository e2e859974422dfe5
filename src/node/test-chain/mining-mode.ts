import { z } from 'zod';
import type { SnapshotPart } from '../../ledger/index.ts';
import type { BlockInterval, ChainControl, ControlState } from '../../rpc/index.ts';

export type Mining = Pick<ControlState, 'mode' | 'interval' | 'resumes'>;

/** Returns the initial mode: blocks at an interval, or immediate blocks without one. */
export function firstMining(interval: BlockInterval | undefined, isOn: boolean): Mining {
  const resumes = interval === undefined ? 'instant' : 'interval';
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

/** Switches automine. Without it blocks are made at the previous interval, if any. */
export function automined(mining: Mining, isOn: boolean): Mining {
  if (isOn) return { ...mining, mode: 'instant', resumes: 'instant' };
  if (mining.mode !== 'instant') return mining;
  return { ...mining, mode: mining.interval === undefined ? 'manual' : 'interval' };
}

/** Sets the interval, which ends automine. Undefined ends interval mining only. */
export function timed(mining: Mining, interval: BlockInterval | undefined): Mining {
  if (interval !== undefined) return { mode: 'interval', interval, resumes: 'interval' };
  return { mode: mining.mode === 'interval' ? 'manual' : mining.mode, interval, resumes: 'instant' };
}

/** The mode in a snapshot. */
const storedMining = z.object({
  mode: z.enum(['instant', 'interval', 'manual']),
  interval: z.object({ shortestMs: z.number(), longestMs: z.number() }).optional().catch(undefined),
  resumes: z.enum(['instant', 'interval']),
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
