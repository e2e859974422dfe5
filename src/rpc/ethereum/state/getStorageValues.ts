import {
  addressShape,
  arrayShape,
  data,
  hashShape,
  namedShape,
  paddedData,
  recordShape,
} from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { storagePositionsSchema } from '../../parameters/storage-positions.ts';
import { STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from '../state-at.ts';

export const getStorageValues = defineMethod({
  name: 'eth_getStorageValues',
  summary: 'Answers what contracts store at several positions at once, 1,024 at most.',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'positions', schema: storagePositionsSchema, summary: 'For each address an array of slots.' },
    STATE_PARAMETER,
  ],
  result: namedShape(
    'StorageValues',
    { title: 'values by address' },
    recordShape(arrayShape(hashShape), addressShape),
  ),
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences: STATE_DIFFERENCES,
  handler: ({ ledger }, [wanted, block]) => {
    const state = stateAt(ledger, block);
    return Object.fromEntries(
      wanted.map(([address, slots]) => [
        data(address),
        slots.map((slot) => paddedData(state.storageAt(address, slot))),
      ]),
    );
  },
});
