import { addressShape, data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { textOrNullSchema, textSchema } from '../../parameters/plain.ts';
import { uint64Schema } from '../../parameters/quantity.ts';
import { requireRegistration } from './registration-desk.ts';

export const submitRegistrationSolution = defineMethod({
  name: 'ledger_submitRegistrationSolution',
  summary: 'Registers an account for the solution of a task and answers its address once it is in a block.',
  section: 'registration',
  work: 'send',
  parameters: [
    { name: 'name', schema: textSchema, summary: 'Name of the account.' },
    {
      name: 'activeKey',
      schema: textSchema,
      summary: 'Public key of the active authority, ECHO and base58.',
    },
    { name: 'echorandKey', schema: textSchema, summary: 'Consensus key, ECHO and base58.' },
    { name: 'evm_address', schema: textOrNullSchema, summary: 'EVM address of the account, or null.' },
    { name: 'nonce', schema: uint64Schema, summary: 'The solution of the task.' },
    { name: 'randNum', schema: uint64Schema, summary: 'The randNum of the task.' },
  ],
  result: addressShape,
  errors: [
    ERRORS.noRegistrarKey,
    ERRORS.unknownTask,
    ERRORS.tooManyRegistrations,
    ERRORS.wrongNonce,
    ERRORS.invalidName,
    ERRORS.nameTaken,
    ERRORS.invalidKey,
    ERRORS.invalidEvmAddress,
    ERRORS.evmAddressTaken,
    ERRORS.takesNoTransactions,
    ERRORS.writesPaused,
    ERRORS.registrationDropped,
    ERRORS.noBlock,
  ],
  differences:
    'Ethereum has no accounts to register. The registrar of the chain pays; a refused solution leaves the task as ' +
    'it was. Where no block comes within 30 s the error says so, and the registration stays pending.',
  handler: async (context, [name, activeKey, echorandKey, evmAddress, nonce, randNum]) => {
    const solution = { name, activeKey, echorandKey, evmAddress, nonce, randNum };
    return data(await requireRegistration(context).submit(solution));
  },
});
