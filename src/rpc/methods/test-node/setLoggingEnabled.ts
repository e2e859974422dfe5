import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setLoggingEnabled = defineMethod({
  ...peerNames('setLoggingEnabled'),
  summary: "Switches on or off what the node's log tells of blocks and of calls that fail.",
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'isOn', schema: flagSchema }],
  result: nullShape,
  example: { parameters: [true], result: null },
  handler: ({ control }, [isOn]) => {
    control.setLogging(isOn);
    return null;
  },
});
