import { UNLOCK_SECONDS_MAX } from '../../../limits.ts';
import { flagShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { passphraseSchema } from '../../parameters/plain.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import { optional } from '../../parameters/schema.ts';

export const unlockAccount = defineMethod({
  name: 'personal_unlockAccount',
  summary:
    'Unlocks an account for a number of seconds, 0 meaning until it is locked; false for a wrong passphrase.',
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
  result: flagShape,
  errors: [ERRORS.unknownAccount],
  differences: 'A wrong passphrase answers false; it is no error.',
  example: { parameters: ['0x0000000000000000000000000000000000000400', '', '0x1e'], result: true },
  handler: ({ wallet }, [address, passphrase, duration]) => wallet.unlock(address, passphrase, duration),
});
