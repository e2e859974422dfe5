import { STORAGE_VALUES_MAX } from '../../../limits.ts';
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
import { entriesByAddress } from '../../parameters/by-address.ts';
import { slotSchema } from '../../parameters/quantity.ts';
import { explained, mapped, refusal } from '../../parameters/schema.ts';
import { arrayOf } from '../../parameters/structures.ts';

/** Which slots of which contracts are asked for. */
const positionsSchema = explained(
  mapped(entriesByAddress(arrayOf(slotSchema)), (entries, place) => {
    const slots = entries.reduce((count, [, wanted]) => count + wanted.length, 0);
    const most = Math.max(entries.length, slots);
    if (most <= STORAGE_VALUES_MAX) return entries;
    throw refusal(place, `expected at most ${STORAGE_VALUES_MAX} slots, got ${most}`);
  }),
  { title: 'positions by address' },
);

export const getStorageValues = defineMethod({
  name: 'eth_getStorageValues',
  summary: 'Answers what contracts store at several positions at once, 1,024 at most.',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'positions', schema: positionsSchema, summary: 'For each address an array of slots.' },
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
