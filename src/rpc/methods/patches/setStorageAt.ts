import { constantShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { controlSlotSchema, slotSchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setStorageAt = defineMethod({
  ...peerNames('setStorageAt', 'evm_setAccountStorageAt'),
  summary: 'Sets the 32 bytes at a position in the storage of an address, without a block.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    {
      name: 'position',
      schema: controlSlotSchema,
      summary: 'The slot; that of an entry of a mapping is a hash.',
    },
    { name: 'value', schema: slotSchema, summary: 'What is shorter than 32 bytes is filled up on the left.' },
  ],
  result: constantShape(true),
  errors: [ERRORS.referenceGiven, ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences: 'Of any address, also of one without code.',
  example: {
    parameters: [
      '0x0100000000000000000000000000000000000000',
      '0x0',
      '0x000000000000000000000000000000000000000000000000000000000000004d',
    ],
    result: true,
  },
  handler: ({ ledger }, [address, slot, value]) => {
    ledger.patch(() => ({ type: 'storage', address, slot, value }));
    return true as const;
  },
});
