import { shape } from '../../../formatters/index.ts';
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
    'Its transactions cost no fee. Stored with the chain. The EVM address of an account is refused: use the native ' +
    'address of the account.',
  example: { parameters: ['0x0100000000000000000000000000000000000000'], result: null },
  handler: ({ wallet }, [address]) => wallet.impersonate(address),
});

const stopImpersonatingAccount = defineControlAction({
  ...peerNames('stopImpersonatingAccount'),
  summary: 'Ends the impersonation of an address.',
  section: 'testMode',
  parameters: [{ name: 'address', schema: addressSchema }],
  differences: 'Returns null even if the address was not impersonated.',
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
  summary:
    'Impersonates an address like `anvil_impersonateAccount`; returns false if the node already knows it.',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema, summary: 'Without effect: there is no key to lock.' },
  ],
  result: shape.flag,
  errors: [ERRORS.evmAddressGiven, ERRORS.tooManyImpersonated],
  differences:
    'The address can send at once, and is not listed. `personal_unlockAccount` returns true for it.',
  example: { parameters: ['0x0100000000000000000000000000000000000000', ''], result: true },
  handler: ({ wallet }, [address]) => !wallet.holds(address) && wallet.impersonate(address),
});

const removeAccount = defineTestMethod({
  name: 'evm_removeAccount',
  summary: 'Ends the impersonation of an address; returns false if it was not impersonated.',
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
  impersonateAccount,
  stopImpersonatingAccount,
  autoImpersonateAccount,
  addAccount,
  removeAccount,
];
