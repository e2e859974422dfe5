import { z } from 'zod';
import { STORAGE_VALUES_MAX } from '../../../limits.ts';
import type { Address, Hash } from '../../../protocol/index.ts';
import { data, paddedData } from '../../../view/index.ts';
import { describeValue } from '../../json/describe.ts';
import { defineQuery } from '../../method.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { entriesByAddress } from '../../schemas/by-address.ts';
import { slotSchema } from '../../schemas/quantity.ts';
import { addressResult, hashResult } from '../../schemas/results.ts';

/** Which slots of which contracts are asked for. */
type Wanted = readonly (readonly [address: Address, slots: readonly Hash[]])[];

const slotsSchema = z.array(slotSchema, {
  error: ({ input }) => `expected an array, got ${describeValue(input)}`,
});

const wantedSchema: z.ZodType<Wanted> = entriesByAddress(slotsSchema)
  .superRefine((entries, context) => {
    const slots = entries.reduce((count, [, wanted]) => count + wanted.length, 0);
    const most = Math.max(entries.length, slots);
    if (most <= STORAGE_VALUES_MAX) return;
    context.addIssue({
      code: 'custom',
      message: `expected at most ${STORAGE_VALUES_MAX} slots, got ${most}`,
    });
  })
  .meta({ title: 'positions by address' });

export const getStorageValues = defineQuery({
  name: 'eth_getStorageValues',
  summary: 'Answers what contracts store at several positions at once, 1,024 at most.',
  section: 'state',
  parameters: [
    { name: 'positions', schema: wantedSchema, summary: 'For each address an array of slots.' },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: z
    .record(addressResult, z.array(hashResult))
    .meta({ id: 'StorageValues', title: 'values by address' }),
  example: {
    parameters: [{ '0x0100000000000000000000000000000000000000': ['0x0'] }, 'latest'],
    result: {
      '0x0100000000000000000000000000000000000000': [
        '0x000000000000000000000000000000000000000000000000000000000000004d',
      ],
    },
  },
  handler: ({ ledger }, wanted) =>
    Object.fromEntries(
      wanted.map(([address, slots]) => [
        data(address),
        slots.map((slot) => paddedData(ledger.storageAt(address, slot))),
      ]),
    ),
});
