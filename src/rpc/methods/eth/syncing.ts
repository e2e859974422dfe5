import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { syncingResult } from '../../schemas/results.ts';

export const syncing = defineMethod({
  name: 'eth_syncing',
  summary: 'Answers how far the node has come in catching up with others; false when it is not catching up.',
  section: 'client',
  parameters: [],
  result: syncingResult,
  example: { parameters: [], result: false },
  handler: ({ nodeStatus }) => {
    const status = nodeStatus.syncing();
    if (status === undefined) return false;
    return {
      startingBlock: quantity(status.startingBlock),
      currentBlock: quantity(status.currentBlock),
      highestBlock: quantity(status.highestBlock),
    };
  },
});
