import { constantShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { textOrNullSchema, textSchema } from '../../parameters/plain.ts';
import { requireRegistration } from './registration-desk.ts';

export const checkRegistration = defineMethod({
  name: 'ledger_checkRegistration',
  summary: 'Says before a task is solved whether the name and the EVM address of an account are free.',
  section: 'registration',
  work: 'turn',
  parameters: [
    { name: 'name', schema: textSchema, summary: 'Name of the account.' },
    { name: 'evm_address', schema: textOrNullSchema, summary: 'EVM address of the account, or null.' },
  ],
  result: constantShape(true),
  errors: [
    ERRORS.noRegistrarKey,
    ERRORS.invalidName,
    ERRORS.nameTaken,
    ERRORS.invalidEvmAddress,
    ERRORS.evmAddressTaken,
  ],
  differences:
    'Ethereum has no accounts to register. Nothing is reserved: what is free now may be taken when the solution comes.',
  example: { parameters: ['alice', null], result: true },
  handler: (context, [name, evmAddress]): true => {
    requireRegistration(context).check(name, evmAddress);
    return true;
  },
});
