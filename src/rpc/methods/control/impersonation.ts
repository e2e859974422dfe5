import { shape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, defineTestMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { flagSchema, passphraseSchema } from '../../parameters/plain.ts';
import { addressSchema } from '../../parameters/schema.ts';

const impersonateAccount = defineControlAction({
  ...peerNames('impersonateAccount'),
  summary: 'Lets `eth_sendTransaction` send from an address without its key, also from a contract.',
  section: 'testMode',
  parameters: [{ name: 'address', schema: addressSchema }],
  errors: [ERRORS.evmAddressGiven, ERRORS.tooManyImpersonated],
  differences:
    'What it sends is charged nothing. Kept with the chain. The EVM address of an account is refused: the account ' +
    'has an address of its own.',
  example: { parameters: ['0x0100000000000000000000000000000000000000'], result: null },
  handler: ({ wallet }, [address]) => wallet.impersonate(address),
});

const stopImpersonatingAccount = defineControlAction({
  ...peerNames('stopImpersonatingAccount'),
  summary: 'Ends what `anvil_impersonateAccount` has begun; of another address there is nothing to end.',
  section: 'testMode',
  parameters: [{ name: 'address', schema: addressSchema }],
  differences: 'Answers null whether or not the address was impersonated.',
  example: { parameters: ['0x0100000000000000000000000000000000000000'], result: null },
  handler: ({ wallet }, [address]) => wallet.impersonation.remove(address),
});

const autoImpersonateAccount = defineControlAction({
  ...peerNames('autoImpersonateAccount'),
  summary: 'Impersonates every address that is not in the wallet, or ends that.',
  section: 'testMode',
  parameters: [{ name: 'enabled', schema: flagSchema }],
  differences: 'The accounts of the wallet still send with their own keys, where they are unlocked.',
  example: { parameters: [true], result: null },
  handler: ({ wallet }, [enabled]) => wallet.impersonation.setAuto(enabled),
});

const addAccount = defineTestMethod({
  name: 'evm_addAccount',
  summary: 'Impersonates an address as `anvil_impersonateAccount` does; false where it is known already.',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema, summary: 'Without effect: there is no key to lock.' },
  ],
  result: shape.flag,
  errors: [ERRORS.evmAddressGiven, ERRORS.tooManyImpersonated],
  differences:
    'The address can send at once, and is not listed. `personal_unlockAccount` answers true for it.',
  example: { parameters: ['0x0100000000000000000000000000000000000000', ''], result: true },
  handler: ({ wallet }, [address]) => !wallet.holds(address) && wallet.impersonate(address),
});

const removeAccount = defineTestMethod({
  name: 'evm_removeAccount',
  summary: 'Ends what `evm_addAccount` or `anvil_impersonateAccount` has begun; false where it had not.',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema, summary: 'Without effect.' },
  ],
  result: shape.flag,
  differences: 'Accounts with a key stay in the wallet.',
  example: { parameters: ['0x0100000000000000000000000000000000000000', ''], result: false },
  handler: ({ wallet }, [address]) => wallet.impersonation.remove(address),
});

/** The methods that let addresses send without their keys. */
export const IMPERSONATION_METHODS: readonly MethodDefinition[] = [
  ...[impersonateAccount, stopImpersonatingAccount, autoImpersonateAccount, addAccount, removeAccount],
];
