import { revertMethod, type SnapshotNumbers, snapshotMethod } from '../../test-control/snapshots.ts';

const NUMBERS: SnapshotNumbers = {
  first: 0,
  differences:
    'No id comes again, not after a reset or a restart either. Snapshots of a kept chain are kept with it.',
};

export const snapshot = snapshotMethod(NUMBERS);

export const revert = revertMethod(NUMBERS);
