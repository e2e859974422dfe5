import { constantShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const intervalMine = defineMethod({
  ...peerNames('intervalMine'),
  summary: 'Makes the block that mining at an interval would make next.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [],
  result: constantShape(true),
  errors: [ERRORS.noProducerKey],
  example: { parameters: [], result: true },
  handler: ({ control }) => {
    control.mine({ count: 1 });
    return true;
  },
});
