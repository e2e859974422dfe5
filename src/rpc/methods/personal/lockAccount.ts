import { z } from 'zod';
import { defineTestMethod } from '../../method.ts';
import { addressSchema } from '../../schemas/bytes.ts';

export const lockAccount = defineTestMethod({
  name: 'personal_lockAccount',
  summary: 'Locks an account: its key can no longer sign or send.',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: z.boolean(),
  handler: ({ wallet }, address) => {
    wallet.lock(address);
    return true;
  },
});
