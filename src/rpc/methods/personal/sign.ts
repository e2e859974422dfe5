import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { messageSchema, passphraseSchema } from '../../parameters/plain.ts';
import { optional } from '../../parameters/schema.ts';

export const signPersonal = defineMethod({
  name: 'personal_sign',
  summary:
    'Signs a message as `eth_sign` does, the parameters turned round; a passphrase makes up for a lock.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'message', schema: messageSchema, summary: 'The bytes to sign, or a text; the prefix is added.' },
    { name: 'address', schema: addressSchema, summary: 'An account of the wallet.' },
    { name: 'passphrase', schema: optional(passphraseSchema) },
  ],
  result: dataShape,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked, ERRORS.wrongPassphrase],
  differences: "Recovers the account's EVM address, not the address of `1.2.N`.",
  handler: ({ wallet }, [message, address, passphrase]) =>
    data(wallet.signMessage(address, message, passphrase)),
});
