import type { SnapshotPart } from '../../ledger/index.ts';
import type { BlockInterval, ChainControl } from '../../rpc/index.ts';
import type { Mining } from './mining-mode.ts';

/** When blocks of a test chain are made, as a snapshot holds it; the ledger's part holds times and the gas limit. */
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

/** What is not there, or not as it should be, is as at first. */
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
