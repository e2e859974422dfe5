import {
  constantShape,
  eitherShape,
  namedShape,
  objectShape,
  quantity,
  quantityShape,
} from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

/** Sync status: docs/interface.md#sync-status. */
const syncStatusShape = namedShape(
  'SyncStatus',
  { title: 'sync status' },
  objectShape({ startingBlock: quantityShape, currentBlock: quantityShape, highestBlock: quantityShape }),
);

export const syncing = defineMethod({
  name: 'eth_syncing',
  summary: 'Answers how far the node has come in catching up with others; false when it is not catching up.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: eitherShape(constantShape(false), syncStatusShape),
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
