import { nullableShape, quantity, quantityShape } from '../../../view/index.ts';
import { blockBySelector } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';

export const getBlockTransactionCountByNumber = defineMethod({
  name: 'eth_getBlockTransactionCountByNumber',
  summary:
    'Counts the operations of a block, or with `pending` of the pending transactions; null beyond the head.',
  section: 'state',
  work: 'turn',
  parameters: [{ name: 'block', schema: blockSelectorSchema }],
  result: nullableShape(quantityShape),
  differences:
    'One operation of a native transaction counts as one transaction; `pending` counts those that ' +
    'wait. `safe` and `finalized` are `latest`.',
  example: { parameters: ['latest'], result: '0x1' },
  handler: ({ ledger }, [selector]) => {
    if (selector === 'pending') return quantity(ledger.pendingOperations().length);
    const block = blockBySelector(ledger, selector);
    return block === undefined ? null : quantity(block.operationCount);
  },
});
