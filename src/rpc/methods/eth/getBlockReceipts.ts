import { arrayShape, nullableShape, type ReceiptObject, receiptShape } from '../../../view/index.ts';
import { receiptsText } from '../../answers/block-receipts.ts';
import { blockByReference } from '../../answers/find-block.ts';
import { includedReceipt } from '../../answers/ledger-objects.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';

export const getBlockReceipts = defineMethod({
  name: 'eth_getBlockReceipts',
  summary:
    'Answers the receipts of all transactions of a block, in their order; null when there is no block.',
  section: 'blocks',
  work: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: nullableShape(arrayShape(receiptShape)),
  errors: [ERRORS.tooManyListedLogs, ERRORS.answerTooLong, ERRORS.blockReverted],
  differences: '`pending` is the latest block.',
  handler: (context, [reference]) => {
    const block = blockByReference(context.ledger, reference);
    if (block === undefined) return null;
    return receiptsText<ReceiptObject>(context, block, (operation) => includedReceipt(context, operation));
  },
});
