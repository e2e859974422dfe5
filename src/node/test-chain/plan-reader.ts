import type { ReadingPlans } from '../../ledger/index.ts';
import { REVERTED_TOGETHER } from '../../limits.ts';
import type { CpuBackoff } from '../../scheduling/index.ts';
import type { Stopwatch } from '../../time.ts';

/** Reads what taking blocks back comes to in slices, between which everything else gets its turn. */
export function planReader(backoff: CpuBackoff, time: Stopwatch): ReadingPlans {
  return (plan) => {
    const read = backoff.runSliced<true>((until) => {
      do if (!plan.read(REVERTED_TOGETHER)) return true;
      while (time.now() < until);
      return undefined;
    });
    return read instanceof Promise ? read.then(() => undefined) : undefined;
  };
}
