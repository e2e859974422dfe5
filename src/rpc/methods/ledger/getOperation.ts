import { invariant } from '../../../protocol/index.ts';
import { nullableShape, operationShape, toOperation } from '../../../view/index.ts';
import { termsOf } from '../../accounts/operations.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getOperation = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ledger_getOperation',
    summary:
      'Answers an operation with its native form and the transaction around it; null when there is none.',
    section: 'blocks',
    work: 'turn',
    parameters: [
      {
        name: 'transactionHash',
        schema: hashSchema,
        summary: 'Of the pending or the included form, or of the Ethereum transaction that it carries.',
      },
    ],
    result: nullableShape(operationShape),
    differences: 'Ethereum has no such method.',
    handler: (context, [hash]) => {
      const { ledger } = context;
      const found = ledger.findOperation(hash);
      if (found === undefined) return null;
      const transaction = ledger.findTransaction(found.hash);
      invariant(transaction !== undefined, 'an operation that was found is in a transaction');
      const isIncluded = found.kind === 'included';
      const receipt = isIncluded ? ledger.receiptOutlineOf(found.block.number, found.index) : undefined;
      const addresses = isIncluded ? ledger.addressesOf(found) : [];
      return toOperation(found, transaction, receipt, addresses, termsOf(context, found, profile));
    },
  });
