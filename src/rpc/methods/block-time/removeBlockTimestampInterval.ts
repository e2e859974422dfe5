import { flagShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const removeBlockTimestampInterval = defineMethod({
  ...peerNames('removeBlockTimestampInterval'),
  summary: 'Has blocks go by the time of day again; answers whether they did not.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [],
  result: flagShape,
  example: { parameters: [], result: false },
  handler: ({ control }) => {
    const { timestampInterval } = control.state.timing;
    control.setBlockTimes({ timestampInterval: undefined });
    return timestampInterval !== undefined;
  },
});
