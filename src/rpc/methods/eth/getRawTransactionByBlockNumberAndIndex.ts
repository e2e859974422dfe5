import { dataShape, nullableShape } from '../../../view/index.ts';
import { blockBySelector } from '../../answers/find-block.ts';
import { rawTransactionAt } from '../../answers/ledger-objects.ts';
import { RAW_DIFFERENCES } from '../../answers/raw-transaction.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const getRawTransactionByBlockNumberAndIndex = defineMethod({
  name: 'eth_getRawTransactionByBlockNumberAndIndex',
  summary: 'Answers the bytes of the transaction at a position of a block; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
  ],
  result: nullableShape(dataShape),
  differences: RAW_DIFFERENCES,
  handler: ({ ledger }, [block, index]) => rawTransactionAt(ledger, blockBySelector(ledger, block), index),
});
