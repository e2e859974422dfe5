import { nullableShape } from '../../../view/index.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getTransactionReceipt = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getTransactionReceipt',
    summary: 'Returns the receipt of a transaction; null for a pending one and for an unknown hash.',
    section: 'blocks',
    work: 'turn',
    parameters: [
      { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
    ],
    result: nullableShape(objects.receiptShape),
    differences:
      'Operations that are not contract calls, such as the update of an account, have receipts too.',
    handler: (context, [hash]) => {
      const known = objects.cachedReceipt(context, hash);
      if (known !== undefined) return known;
      const found = context.ledger.findOperation(hash);
      return found?.kind === 'included' ? objects.receipt(context, found) : null;
    },
  });
