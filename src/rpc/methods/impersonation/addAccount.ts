import { flagShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { passphraseSchema } from '../../parameters/plain.ts';

export const addAccount = defineMethod({
  name: 'evm_addAccount',
  summary: 'Impersonates an address as `anvil_impersonateAccount` does; false where it is known already.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema, summary: 'Without effect: there is no key to lock.' },
  ],
  result: flagShape,
  errors: [ERRORS.evmAddressGiven, ERRORS.tooManyImpersonated],
  differences:
    'The address can send at once, and is not listed. `personal_unlockAccount` answers true for it.',
  example: { parameters: ['0x0100000000000000000000000000000000000000', ''], result: true },
  handler: ({ wallet }, [address]) => !wallet.holds(address) && wallet.impersonate(address),
});
