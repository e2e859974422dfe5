import {
  addressShape,
  arrayShape,
  data,
  hashShape,
  namedShape,
  paddedData,
  recordShape,
} from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { storagePositionsSchema } from '../../parameters/storage-positions.ts';

export const getStorageValues = defineMethod({
  name: 'eth_getStorageValues',
  summary: 'Answers what contracts store at several positions at once, 1,024 at most.',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'positions', schema: storagePositionsSchema, summary: 'For each address an array of slots.' },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: namedShape(
    'StorageValues',
    { title: 'values by address' },
    recordShape(arrayShape(hashShape), addressShape),
  ),
  example: {
    parameters: [{ '0x0100000000000000000000000000000000000000': ['0x0'] }, 'latest'],
    result: {
      '0x0100000000000000000000000000000000000000': [
        '0x000000000000000000000000000000000000000000000000000000000000004d',
      ],
    },
  },
  handler: ({ ledger }, [wanted]) =>
    Object.fromEntries(
      wanted.map(([address, slots]) => [
        data(address),
        slots.map((slot) => paddedData(ledger.storageAt(address, slot))),
      ]),
    ),
});
