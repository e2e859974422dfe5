import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

export const peerCount = defineMethod({
  name: 'net_peerCount',
  summary: 'Counts the connected peers.',
  section: 'client',
  parameters: [],
  result: quantityResult,
  example: { parameters: [], result: '0x0' },
  handler: ({ nodeStatus }) => quantity(nodeStatus.peerCount()),
});
