import { nullableShape } from '../../../view/index.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getTransactionByHash = ({ id, objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getTransactionByHash',
    summary: 'Returns a transaction by its hash, in a block or pending; null for an unknown hash.',
    section: 'blocks',
    work: 'turn',
    parameters: [
      { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
    ],
    result: nullableShape(objects.transactionShape),
    differences:
      id === 'ledger'
        ? 'A transaction has one hash while it is pending and another once it is in a block; both are found.'
        : 'Native operations are transactions of type 0 whose v, r and s are 0; their native hashes are found.',
    handler: (context, [hash]) => {
      const known = objects.cachedTransaction(context, hash);
      if (known !== undefined) return known;
      const found = context.ledger.findOperation(hash);
      if (found === undefined) return null;
      return found.kind === 'included'
        ? objects.transaction(context, found)
        : objects.pendingTransaction(context, found);
    },
  });
