import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { codeSchema } from '../../parameters/patches.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setCode = defineMethod({
  ...peerNames('setCode', 'evm_setAccountCode'),
  summary: 'Puts code at an address without a block: another one of a contract, or a new contract.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'code', schema: codeSchema, summary: 'The code itself, not creation code; none: no code.' },
  ],
  result: nullShape,
  errors: [
    ERRORS.accountHasNoCode,
    ERRORS.referenceGiven,
    ERRORS.contractNotYet,
    ERRORS.tooManyPatches,
    ERRORS.writesPaused,
  ],
  differences:
    'At an address where nothing was, the contract is the next `1.11.N`, as after CREATE2. Storage stays as it is.',
  example: {
    parameters: ['0x1111111111111111111111111111111111111111', '0x602a60005260206000f3'],
    result: null,
  },
  handler: ({ ledger }, [address, code]) => {
    ledger.patch(() => ({ type: 'code', address, code }));
    return null;
  },
});
