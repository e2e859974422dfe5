import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema, dataSchema } from '../../parameters/bytes.ts';

export const impersonateSignature = defineMethod({
  name: 'anvil_impersonateSignature',
  aliases: ['hardhat_impersonateSignature', 'ganache_impersonateSignature'],
  summary: 'Would let the precompiled contract `ecrecover` answer an address for a signature: refused.',
  section: 'testMode',
  work: 'quick',
  chains: 'test',
  parameters: [
    { name: 'signature', schema: dataSchema },
    { name: 'address', schema: addressSchema },
  ],
  result: nullShape,
  errors: [ERRORS.notSupported],
  differences: 'Not supported: blocks have to come out the same wherever they are executed again.',
  handler: () => {
    throw new RequestFailedError('not supported: the precompile is part of the replay');
  },
});
