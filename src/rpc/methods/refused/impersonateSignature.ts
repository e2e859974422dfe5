import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema, dataSchema } from '../../parameters/bytes.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const impersonateSignature = defineMethod({
  ...peerNames('impersonateSignature'),
  summary: 'Refused: who signed what is found out anew whenever blocks are replayed.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [
    { name: 'signature', schema: dataSchema },
    { name: 'address', schema: addressSchema },
  ],
  result: nullShape,
  errors: [ERRORS.signaturesFixed],
  handler: () => {
    throw new RequestFailedError(ERRORS.signaturesFixed.message);
  },
});
