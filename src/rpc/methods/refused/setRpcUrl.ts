import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { textSchema } from '../../parameters/plain.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setRpcUrl = defineMethod({
  ...peerNames('setRpcUrl'),
  summary: 'Refused: there is no other chain behind this one.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'url', schema: textSchema }],
  result: nullShape,
  errors: [ERRORS.noFork],
  handler: () => {
    throw new RequestFailedError(ERRORS.noFork.message);
  },
});
