import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

export const peerCount = defineMethod({
  name: 'net_peerCount',
  summary: 'Counts the connected peers.',
  parameters: [],
  result: quantityResult,
  handler: ({ nodeStatus }) => quantity(nodeStatus.peerCount()),
});
