import { z } from 'zod';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { addressSchema } from '../../schemas/bytes.ts';

export const lockAccount = defineTestMethod({
  name: 'personal_lockAccount',
  summary: 'Locks an account: its key can no longer sign or send.',
  section: 'testMode',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: z.boolean(),
  errors: [ERRORS.unknownAccount],
  example: { parameters: ['0x0000000000000000000000000000000000000400'], result: true },
  handler: ({ wallet }, address) => {
    wallet.lock(address);
    return true;
  },
});
