import { hashShape, paddedData } from '../../../view/index.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { slotSchema } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getStorageAt = ({ state }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getStorageAt',
    summary: 'Returns the 32 bytes that a contract stores at a position.',
    section: 'state',
    work: 'worker',
    isQuick: state.readsHead(2),
    parameters: [
      { name: 'address', schema: addressSchema },
      {
        name: 'position',
        schema: slotSchema,
        summary: 'The slot; that of an entry of a mapping is a hash.',
      },
      state.parameter,
    ],
    result: hashShape,
    errors: state.errors,
    differences: state.differences,
    example: {
      parameters: ['0x0100000000000000000000000000000000000000', '0x0', 'latest'],
      result: '0x000000000000000000000000000000000000000000000000000000000000004d',
    },
    handler: (context, [address, slot, block]) =>
      paddedData(state.atOrPending(context, block).storageAt(address, slot)),
  });
