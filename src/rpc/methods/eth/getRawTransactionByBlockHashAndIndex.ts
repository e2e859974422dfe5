import { dataShape, nullableShape } from '../../../view/index.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { rawTransactionAt } from '../../answers/ledger-objects.ts';
import { RAW_DIFFERENCES } from '../../answers/raw-transaction.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const getRawTransactionByBlockHashAndIndex = defineMethod({
  name: 'eth_getRawTransactionByBlockHashAndIndex',
  summary: 'Answers the bytes of the transaction at a position of a block; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
  ],
  result: nullableShape(dataShape),
  differences: RAW_DIFFERENCES,
  handler: ({ ledger }, [block, index]) => rawTransactionAt(ledger, blockByHash(ledger, block), index),
});
