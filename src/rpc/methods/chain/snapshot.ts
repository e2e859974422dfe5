import { quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../peer-names.ts';

export const snapshot = defineMethod({
  ...peerNames('snapshot', 'evm_snapshot'),
  summary:
    'Takes a snapshot of the chain, what waits, the clock and the production of blocks; answers its id.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [],
  result: quantityShape,
  errors: [ERRORS.tooManySnapshots],
  differences:
    'No id comes again, not after a reset or a restart either. Snapshots of a kept chain are kept with it.',
  example: { parameters: [], result: '0x1' },
  handler: ({ testChain }) => quantity(testChain.takeSnapshot()),
});
