import { z } from 'zod';
import { UNLOCK_SECONDS_MAX } from '../../../limits.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { addressSchema } from '../../schemas/bytes.ts';
import { passphraseSchema } from '../../schemas/plain.ts';
import { boundedQuantitySchema } from '../../schemas/quantity.ts';

export const unlockAccount = defineTestMethod({
  name: 'personal_unlockAccount',
  summary:
    'Unlocks an account for a number of seconds, 0 meaning until it is locked; false for a wrong passphrase.',
  section: 'testMode',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'passphrase', schema: passphraseSchema },
    {
      name: 'duration',
      schema: boundedQuantitySchema(UNLOCK_SECONDS_MAX, 'seconds').nullish(),
      summary: 'Seconds; 300 when absent, 0 until it is locked.',
    },
  ],
  result: z.boolean(),
  errors: [ERRORS.unknownAccount],
  differences: 'A wrong passphrase answers false; it is no error.',
  example: { parameters: ['0x0000000000000000000000000000000000000400', '', '0x1e'], result: true },
  handler: ({ wallet }, address, passphrase, duration) =>
    wallet.unlock(address, passphrase, duration ?? undefined),
});
