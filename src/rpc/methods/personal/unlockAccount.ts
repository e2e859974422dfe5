import { z } from 'zod';
import { UNLOCK_SECONDS_MAX } from '../../../limits.ts';
import { defineTestMethod } from '../../method.ts';
import { addressSchema } from '../../schemas/bytes.ts';
import { passphraseSchema } from '../../schemas/plain.ts';
import { boundedQuantitySchema } from '../../schemas/quantity.ts';

export const unlockAccount = defineTestMethod({
  name: 'personal_unlockAccount',
  summary:
    'Unlocks an account for a number of seconds, 0 meaning until it is locked; false for a wrong passphrase.',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema },
    { name: 'duration', schema: boundedQuantitySchema(UNLOCK_SECONDS_MAX, 'seconds').nullish() },
  ],
  result: z.boolean(),
  handler: ({ wallet }, address, passphrase, duration) =>
    wallet.unlock(address, passphrase, duration ?? undefined),
});
