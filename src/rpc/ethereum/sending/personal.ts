import { UNLOCK_SECONDS_MAX } from '../../../limits.ts';
import { addressShape, constantShape, data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { passphraseSchema, privateKeySchema } from '../../parameters/plain.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import { optional } from '../../parameters/schema.ts';
import { keysOf } from './send.ts';

const PASSPHRASE_PARAMETER = {
  name: 'passphrase',
  schema: passphraseSchema,
  summary: 'Unlocks the account later.',
} as const;

const CREATION_DIFFERENCES = 'It holds nothing at first. Kept with a chain that is kept.';

export const newAccount = defineMethod({
  name: 'personal_newAccount',
  summary: 'Generates a key and answers its address; the account starts locked.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [PASSPHRASE_PARAMETER],
  result: addressShape,
  errors: [ERRORS.walletFull],
  differences: CREATION_DIFFERENCES,
  handler: (context, [passphrase]) => data(keysOf(context).create(passphrase)),
});

export const importRawKey = defineMethod({
  name: 'personal_importRawKey',
  summary: 'Takes a private key in and answers its address; the account starts locked.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'key', schema: privateKeySchema }, PASSPHRASE_PARAMETER],
  result: addressShape,
  errors: [ERRORS.walletFull, ERRORS.accountExists],
  differences: CREATION_DIFFERENCES,
  handler: (context, [key, passphrase]) => data(keysOf(context).create(passphrase, key)),
});

export const lockAccount = defineMethod({
  name: 'personal_lockAccount',
  summary: 'Locks an account: its key can no longer sign or send.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: constantShape(true),
  errors: [ERRORS.unknownAccount],
  handler: ({ keys, wallet }, [address]) => {
    if (keys?.holds(address) === true) keys.lock(address);
    else wallet.lock(address);
    return true as const;
  },
});

export const unlockAccount = defineMethod({
  name: 'personal_unlockAccount',
  summary: 'Unlocks an account for a number of seconds, 0 meaning until it is locked.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema },
    {
      name: 'duration',
      schema: optional(boundedQuantity(UNLOCK_SECONDS_MAX, 'seconds')),
      summary: 'Seconds; 300 when absent, 0 until it is locked.',
    },
  ],
  result: constantShape(true),
  errors: [ERRORS.unknownAccount, ERRORS.wrongPassword],
  differences: 'The accounts that the chain begins with have the empty passphrase.',
  handler: ({ keys, wallet }, [address, passphrase, duration]) => {
    if (keys?.holds(address) === true) keys.unlock(address, passphrase, duration);
    else if (!wallet.unlock(address, passphrase, duration)) {
      throw new RequestFailedError(ERRORS.wrongPassword.message);
    }
    return true as const;
  },
});
