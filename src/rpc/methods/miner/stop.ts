import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const stopMiner = defineMethod({
  name: 'miner_stop',
  summary: 'Stops generating blocks: transactions stay pending.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [],
  result: nullShape,
  example: { parameters: [], result: null },
  handler: ({ control }) => {
    control.stopMining();
    return null;
  },
});
