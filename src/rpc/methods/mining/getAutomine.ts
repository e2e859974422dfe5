import { flagShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const getAutomine = defineMethod({
  ...peerNames('getAutomine'),
  summary: 'Answers whether every transaction gets its block at once.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [],
  result: flagShape,
  example: { parameters: [], result: true },
  handler: ({ control }) => control.state.mode === 'instant',
});
