import { hashShape, paddedData } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { slotSchema } from '../../parameters/quantity.ts';

export const getStorageAt = defineMethod({
  name: 'eth_getStorageAt',
  summary: 'Answers the 32 bytes that a contract stores at a position.',
  section: 'state',
  work: 'quick',
  parameters: [
    { name: 'address', schema: addressSchema },
    {
      name: 'position',
      schema: slotSchema,
      summary: 'The slot; that of an entry of a mapping is a hash.',
    },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: hashShape,
  example: {
    parameters: ['0x0100000000000000000000000000000000000000', '0x0', 'latest'],
    result: '0x000000000000000000000000000000000000000000000000000000000000004d',
  },
  handler: ({ ledger }, [address, slot]) => paddedData(ledger.storageAt(address, slot)),
});
