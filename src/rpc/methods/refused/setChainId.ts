import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setChainId = defineMethod({
  ...peerNames('setChainId'),
  summary: 'Refused: the chain id is part of the genesis.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'chainId', schema: quantitySchema }],
  result: nullShape,
  errors: [ERRORS.chainIdFixed],
  handler: () => {
    throw new RequestFailedError(ERRORS.chainIdFixed.message);
  },
});
