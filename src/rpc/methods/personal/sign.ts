import { data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { addressSchema } from '../../schemas/bytes.ts';
import { messageSchema, passphraseSchema } from '../../schemas/plain.ts';
import { dataResult } from '../../schemas/results.ts';

export const signPersonal = defineTestMethod({
  name: 'personal_sign',
  summary:
    'Signs a message as `eth_sign` does, the parameters turned round; a passphrase makes up for a lock.',
  section: 'testMode',
  parameters: [
    { name: 'message', schema: messageSchema, summary: 'The bytes to sign, or a text; the prefix is added.' },
    { name: 'address', schema: addressSchema, summary: 'An account of the wallet.' },
    { name: 'passphrase', schema: passphraseSchema.nullish() },
  ],
  result: dataResult,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked, ERRORS.wrongPassphrase],
  differences: "Recovers the account's EVM address, not the address of `1.2.N`.",
  handler: ({ wallet }, message, address, passphrase) =>
    data(wallet.signMessage(address, message, passphrase ?? undefined)),
});
