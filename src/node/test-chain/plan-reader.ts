import type { ReadingPlans } from '../../ledger/index.ts';
import { REVERTED_TOGETHER } from '../../limits.ts';
import { inSlices, type Slicing } from '../slices.ts';

/** Reads what taking blocks back comes to in slices, between which everything else gets its turn. */
export function planReader(slicing: Slicing): ReadingPlans {
  return (plan) => {
    const read = inSlices<true>(slicing, (until) => {
      do if (!plan.read(REVERTED_TOGETHER)) return true;
      while (slicing.time.now() < until);
      return undefined;
    });
    return read instanceof Promise ? read.then(() => undefined) : undefined;
  };
}
