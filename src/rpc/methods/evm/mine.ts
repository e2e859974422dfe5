import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { MINING_ORDER_PARAMETER, minedInOrder, nullAfter } from '../../test-control/mining-order.ts';

export const mineAt = defineMethod({
  name: 'evm_mine',
  summary: 'Forces one block or several, whether or not blocks are being generated.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [MINING_ORDER_PARAMETER],
  result: nullShape,
  errors: [ERRORS.noProducerKey, ERRORS.tooManyBlocks],
  differences: 'Time goes on from a time stamp that lies ahead; one before the latest block is refused.',
  example: { parameters: [], result: null },
  handler: (context, [order]) => nullAfter(minedInOrder(context, order)),
});
