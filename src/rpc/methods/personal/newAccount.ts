import { addressShape, data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { passphraseSchema } from '../../parameters/plain.ts';

export const newAccount = defineMethod({
  name: 'personal_newAccount',
  summary: 'Registers an account with a newly generated key and answers its address; it starts locked.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'passphrase', schema: passphraseSchema, summary: 'Unlocks the account later.' }],
  result: addressShape,
  errors: [ERRORS.walletFull, ERRORS.insufficientFunds],
  differences: 'Registers an account on the ledger, in a block of its own.',
  example: { parameters: ['secret'], result: '0x000000000000000000000000000000000000040a' },
  handler: ({ wallet }, [passphrase]) => data(wallet.create(passphrase)),
});
