import { arrayShape, nullableShape } from '../../../view/index.ts';
import { receiptsText } from '../../answers/block-receipts.ts';
import { blockByReference } from '../../answers/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import type { Profile } from '../../profiles/profile.ts';
import type { ProfileReceipt } from '../../response-cache/response-cache.ts';

export const getBlockReceipts = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getBlockReceipts',
    summary:
      'Returns the receipts of all transactions of a block, in their order; null for an unknown block.',
    section: 'blocks',
    work: 'worker',
    parameters: [{ name: 'block', schema: blockReferenceSchema }],
    result: nullableShape(arrayShape(objects.receiptShape)),
    errors: [ERRORS.tooManyListedLogs, ERRORS.answerTooLong, ERRORS.blockReverted],
    differences: '`pending` is the latest block.',
    handler: (context, [reference]) => {
      const block = blockByReference(context.ledger, reference);
      if (block === undefined) return null;
      return receiptsText<ProfileReceipt>(context, block, (operation) => objects.receipt(context, operation));
    },
  });
