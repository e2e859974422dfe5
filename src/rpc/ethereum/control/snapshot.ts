import { revertMethod, type SnapshotNumbers, snapshotMethod } from '../../test-control/snapshots.ts';

/** The first snapshot of a chain is number 0 for anvil, and 1 for the ledger. */
export const FIRST_SNAPSHOT = 1;

const NUMBERS: SnapshotNumbers = {
  first: FIRST_SNAPSHOT,
  differences: 'No id comes again. An id here is one less than that of the same snapshot on `/`.',
};

export const snapshot = snapshotMethod(NUMBERS);

export const revert = revertMethod(NUMBERS);
