import { receiptCodec } from '../../../ledger/index.ts';
import { encode } from '../../../protocol/index.ts';
import { arrayShape, data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { blockOf, budgetOf, withinLimits } from '../../tracing/traceable.ts';

export const getRawReceipts = defineMethod({
  name: 'debug_getRawReceipts',
  summary: 'Answers the bytes of the receipts of a block.',
  section: 'traces',
  work: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: arrayShape(dataShape),
  errors: [ERRORS.blockNotFound, ERRORS.traceTooLarge],
  differences: 'Receipts as the ledger stores them, over which the block has a hash.',
  handler: (context, [reference]) => {
    const { ledger } = context;
    const block = blockOf(ledger, reference);
    const budget = budgetOf(context);
    return withinLimits(() =>
      Array.from({ length: block.operationCount }, (_, index) => {
        const receipt = ledger.receiptOf(block.number, index);
        const bytes = receipt === undefined ? new Uint8Array(0) : encode(receiptCodec, receipt);
        budget.take(2 * bytes.length);
        return data(bytes);
      }),
    );
  },
});
