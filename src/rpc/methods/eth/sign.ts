import { data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { addressSchema, dataSchema } from '../../schemas/bytes.ts';
import { dataResult } from '../../schemas/results.ts';

export const sign = defineTestMethod({
  name: 'eth_sign',
  summary: 'Signs a message, prefixed as Ethereum clients do, with the key of an unlocked account.',
  section: 'testMode',
  parameters: [
    { name: 'address', schema: addressSchema, summary: 'An unlocked account of the wallet.' },
    { name: 'message', schema: dataSchema, summary: 'The bytes to sign; the prefix is added.' },
  ],
  result: dataResult,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked],
  handler: ({ wallet }, address, message) => data(wallet.signMessage(address, message)),
});
