import { STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from '../../answers/state-at.ts';
import { POSITIONS_PARAMETER, storageValues, storageValuesShape } from '../../answers/storage-values.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';

export const getStorageValues = defineMethod({
  name: 'eth_getStorageValues',
  summary: 'Answers what contracts store at several positions at once, 1,024 at most.',
  section: 'state',
  work: 'worker',
  parameters: [POSITIONS_PARAMETER, STATE_PARAMETER],
  result: storageValuesShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences: STATE_DIFFERENCES,
  handler: ({ ledger }, [positions, block]) => storageValues(stateAt(ledger, block), positions),
});
