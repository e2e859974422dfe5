import { integerShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const getLastBlockWallTime = defineMethod({
  ...peerNames('getLastBlockWallTime'),
  summary: "Answers when the newest block was made by the machine's clock, in Unix milliseconds.",
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [],
  result: integerShape,
  differences: 'After a start it is the time of the block, until the next one is made.',
  handler: ({ control }) => control.lastBlockWallTime,
});
