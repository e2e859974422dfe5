import { z } from 'zod';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { requireRegistration } from '../../registration.ts';
import { optionalTextSchema, textSchema } from '../../schemas/plain.ts';

export const checkRegistration = defineMethod({
  name: 'ledger_checkRegistration',
  summary: 'Says before a task is solved whether the name and the EVM address of an account are free.',
  section: 'registration',
  parameters: [
    { name: 'name', schema: textSchema, summary: 'Name of the account.' },
    { name: 'evm_address', schema: optionalTextSchema, summary: 'EVM address of the account, or null.' },
  ],
  result: z.literal(true),
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
  handler: (context, name, evmAddress): true => {
    requireRegistration(context).check(name, evmAddress);
    return true;
  },
});
