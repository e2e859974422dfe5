import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const peerCount = defineMethod({
  name: 'net_peerCount',
  summary: 'Counts the connected peers.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  example: { parameters: [], result: '0x0' },
  handler: ({ nodeStatus }) => quantity(nodeStatus.peerCount()),
});
