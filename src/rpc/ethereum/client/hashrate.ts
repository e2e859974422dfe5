import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const hashrate = defineMethod({
  name: 'eth_hashrate',
  summary: 'Answers the rate of hashes, which is 0: blocks are not mined by proof of work.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  example: { parameters: [], result: '0x0' },
  handler: () => quantity(0),
});
