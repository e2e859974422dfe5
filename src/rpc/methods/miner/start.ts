import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const startMiner = defineMethod({
  name: 'miner_start',
  summary: 'Starts generating blocks.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [],
  result: nullShape,
  differences: 'Parameters are ignored.',
  example: { parameters: [], result: null },
  handler: ({ control }) => {
    control.startMining();
    return null;
  },
});
