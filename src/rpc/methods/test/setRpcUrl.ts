import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { NO_FORKS } from '../../forking.ts';
import { defineMethod } from '../../method.ts';
import { textSchema } from '../../parameters/plain.ts';
import { peerNames } from '../../peer-names.ts';

const [name = '', ...aliases] = peerNames('setRpcUrl');

export const setRpcUrl = defineMethod({
  name,
  aliases,
  summary: 'Is refused: there is no chain that this one was forked from.',
  section: 'testMode',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'url', schema: textSchema }],
  result: nullShape,
  errors: [ERRORS.doesNotFork],
  handler: () => {
    throw new RequestFailedError(NO_FORKS);
  },
});
