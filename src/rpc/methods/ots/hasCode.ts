import { flagShape } from '../../../view/index.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const hasCode = ({ state }: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_hasCode',
    summary: 'Answers whether there is code at an address.',
    section: 'otterscan',
    work: 'worker',
    parameters: [{ name: 'address', schema: addressSchema }, state.parameter],
    result: flagShape,
    errors: state.errors,
    differences: 'At `/` the block has no effect: the latest state is asked.',
    handler: ({ ledger }, [address, block]) => state.at(ledger, block).codeAt(address).length > 0,
  });
