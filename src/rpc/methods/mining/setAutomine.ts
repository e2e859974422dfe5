import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setAutomine = defineMethod({
  ...peerNames('setAutomine', 'evm_setAutomine'),
  summary:
    'Has a block made for every transaction at once, or ends that: then blocks come at the interval that was set ' +
    'before, or only when they are asked for.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'isOn', schema: flagSchema }],
  result: nullShape,
  differences:
    'Ends an interval, and brings it back; with anvil it is lost, with Hardhat both go on side by side.',
  example: { parameters: [false], result: null },
  handler: ({ control }, [isOn]) => {
    control.setAutomine(isOn);
    return null;
  },
});
