import { flagShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const lockAccount = defineMethod({
  name: 'personal_lockAccount',
  summary: 'Locks an account: its key can no longer sign or send.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: flagShape,
  errors: [ERRORS.unknownAccount],
  example: { parameters: ['0x0000000000000000000000000000000000000400'], result: true },
  handler: ({ wallet }, [address]) => {
    wallet.lock(address);
    return true;
  },
});
