import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getBalance = ({ id, state, balance }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getBalance',
    summary: `Returns the balance of an address in ${id === 'ledger' ? 'native units, which are Wei here' : 'wei'}.`,
    section: 'state',
    work: 'worker',
    isQuick: state.readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, state.parameter],
    result: quantityShape,
    errors: state.errors,
    differences: state.differences ?? 'One Wei is one native unit.',
    example: {
      parameters: ['0x0000000000000000000000000000000000000400', 'latest'],
      result: '0x16345785d8a0000',
    },
    handler: (context, [address, block]) => quantity(balance(context, address, block)),
  });
