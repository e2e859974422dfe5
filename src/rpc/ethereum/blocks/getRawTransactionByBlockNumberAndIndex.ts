import { dataShape, nullableShape } from '../../../view/index.ts';
import { rawEthereumTransactionAt } from '../../answers/ethereum-objects.ts';
import { blockBySelector } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const getRawTransactionByBlockNumberAndIndex = defineMethod({
  name: 'eth_getRawTransactionByBlockNumberAndIndex',
  summary: 'Answers the signed bytes of the transaction at a position of a block; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'index', schema: quantitySchema },
  ],
  result: nullableShape(dataShape),
  differences: 'Of a native operation the bytes of its native transaction.',
  handler: ({ ledger }, [selector, index]) =>
    rawEthereumTransactionAt(ledger, blockBySelector(ledger, selector), index),
});
