import { data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { passphraseSchema } from '../../schemas/plain.ts';
import { addressResult } from '../../schemas/results.ts';

export const newAccount = defineTestMethod({
  name: 'personal_newAccount',
  summary: 'Registers an account with a newly generated key and answers its address; it starts locked.',
  section: 'testMode',
  parameters: [{ name: 'passphrase', schema: passphraseSchema, summary: 'Unlocks the account later.' }],
  result: addressResult,
  errors: [ERRORS.walletFull, ERRORS.insufficientFunds],
  differences: 'Registers an account on the ledger, in a block of its own.',
  example: { parameters: ['secret'], result: '0x000000000000000000000000000000000000040a' },
  handler: ({ wallet }, passphrase) => data(wallet.create(passphrase)),
});
