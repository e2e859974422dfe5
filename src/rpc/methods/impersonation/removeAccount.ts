import { flagShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { passphraseSchema } from '../../parameters/plain.ts';

export const removeAccount = defineMethod({
  name: 'evm_removeAccount',
  summary: 'Ends what `evm_addAccount` or `anvil_impersonateAccount` has begun; false where it had not.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema, summary: 'Without effect.' },
  ],
  result: flagShape,
  differences: 'Accounts with a key stay in the wallet.',
  example: { parameters: ['0x0100000000000000000000000000000000000000', ''], result: false },
  handler: ({ wallet }, [address]) => wallet.impersonation.remove(address),
});
