import { addressShape, data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { passphraseSchema, privateKeySchema } from '../../parameters/plain.ts';

export const importRawKey = defineMethod({
  name: 'personal_importRawKey',
  summary: 'Registers an account with a given private key and answers its address; it starts locked.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'key', schema: privateKeySchema },
    { name: 'passphrase', schema: passphraseSchema, summary: 'Unlocks the account later.' },
  ],
  result: addressShape,
  errors: [ERRORS.walletFull, ERRORS.insufficientFunds, ERRORS.nameTaken, ERRORS.evmAddressTaken],
  differences:
    'Registers an account on the ledger, in a block of its own: the address is that of the account, and the one that ' +
    'Ethereum derives from the key is its EVM address.',
  handler: ({ wallet }, [key, passphrase]) => data(wallet.create(passphrase, key)),
});
