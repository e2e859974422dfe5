import { data } from '../../../view/index.ts';
import { defineTestMethod } from '../../method.ts';
import { passphraseSchema } from '../../schemas/plain.ts';
import { addressResult } from '../../schemas/results.ts';

export const newAccount = defineTestMethod({
  name: 'personal_newAccount',
  summary: 'Registers an account with a newly generated key and answers its address; it starts locked.',
  parameters: [{ name: 'passphrase', schema: passphraseSchema }],
  result: addressResult,
  handler: ({ wallet }, passphrase) => data(wallet.create(passphrase)),
});
