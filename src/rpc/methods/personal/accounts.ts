import { shape } from '../../../formatters/index.ts';
import { toPrefixedHex } from '../../../protocol/index.ts';
import { UNLOCK_SECONDS_MAX } from '../../../wallet/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod, type MethodDefinition } from '../../method.ts';
import { boundedQuantity, passphraseSchema, privateKeySchema } from '../../parameters/plain.ts';
import { addressSchema, optional } from '../../parameters/schema.ts';

const PASSPHRASE_PARAMETER = {
  name: 'passphrase',
  schema: passphraseSchema,
  summary: 'Unlocks the account later.',
} as const;

const KEY_DIFFERENCES = 'Starts without a balance. Stored with the chain, if the node stores it.';

const newAccount = defineTestMethod({
  name: 'personal_newAccount',
  summary: 'Creates an account with a new key and returns its address; the account starts locked.',
  parameters: [PASSPHRASE_PARAMETER],
  result: shape.address,
  errors: [ERRORS.walletFull],
  differences: KEY_DIFFERENCES,
  handler: ({ signer }, [passphrase]) => toPrefixedHex(signer.create(passphrase)),
});

const importRawKey = defineTestMethod({
  name: 'personal_importRawKey',
  summary: 'Creates an account with a given private key and returns its address; the account starts locked.',
  parameters: [{ name: 'key', schema: privateKeySchema }, PASSPHRASE_PARAMETER],
  result: shape.address,
  errors: [ERRORS.walletFull, ERRORS.accountExists],
  differences: KEY_DIFFERENCES,
  handler: ({ signer }, [key, passphrase]) => toPrefixedHex(signer.create(passphrase, key)),
});

const lockAccount = defineTestMethod({
  name: 'personal_lockAccount',
  summary: 'Locks an account: its key can no longer sign or send.',
  scheduling: 'turn',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: shape.constant(true),
  errors: [ERRORS.unknownAccount],
  example: { parameters: ['0x0000000000000000000000000000000000000400'], result: true },
  handler: (context, [address]) => {
    context.signer.lock(address);
    return true as const;
  },
});

const unlockAccount = defineTestMethod({
  name: 'personal_unlockAccount',
  summary: 'Unlocks an account for a number of seconds; 0: until it is locked.',
  scheduling: 'turn',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema },
    {
      name: 'duration',
      schema: optional(boundedQuantity(UNLOCK_SECONDS_MAX, 'seconds')),
      summary: 'Seconds; absent: 300; 0: until it is locked.',
    },
  ],
  result: shape.constant(true),
  errors: [ERRORS.unknownAccount, ERRORS.wrongPassword],
  differences: 'The accounts that the chain begins with have the empty passphrase.',
  example: { parameters: ['0x0000000000000000000000000000000000000400', '', '0x1e'], result: true },
  handler: (context, [address, passphrase, duration]) => context.signer.unlock(address, passphrase, duration),
});

/** The methods that make, lock and unlock accounts of the node. */
export const PERSONAL_ACCOUNT_METHODS: readonly MethodDefinition[] = [
  newAccount,
  importRawKey,
  lockAccount,
  unlockAccount,
];
