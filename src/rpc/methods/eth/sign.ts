import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema, dataSchema } from '../../parameters/bytes.ts';

export const sign = defineMethod({
  name: 'eth_sign',
  summary: 'Signs a message, prefixed as Ethereum clients do, with the key of an unlocked account.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema, summary: 'An unlocked account of the wallet.' },
    { name: 'message', schema: dataSchema, summary: 'The bytes to sign; the prefix is added.' },
  ],
  result: dataShape,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked],
  handler: ({ wallet }, [address, message]) => data(wallet.signMessage(address, message)),
});
