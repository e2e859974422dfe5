import { POSITIONS_PARAMETER, storageValues, storageValuesShape } from '../../answers/storage-values.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';

export const getStorageValues = defineMethod({
  name: 'eth_getStorageValues',
  summary: 'Answers what contracts store at several positions at once, 1,024 at most.',
  section: 'state',
  work: 'worker',
  parameters: [POSITIONS_PARAMETER, { name: 'block', schema: ignoredBlockSchema }],
  result: storageValuesShape,
  example: {
    parameters: [{ '0x0100000000000000000000000000000000000000': ['0x0'] }, 'latest'],
    result: {
      '0x0100000000000000000000000000000000000000': [
        '0x000000000000000000000000000000000000000000000000000000000000004d',
      ],
    },
  },
  handler: ({ ledger }, [positions]) => storageValues(ledger, positions),
});
