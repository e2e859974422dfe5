import { dataShape, nullableShape } from '../../../view/index.ts';
import { RAW_DIFFERENCES, rawTransaction } from '../../answers/raw-transaction.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getRawTransactionByHash = ({ id, objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getRawTransactionByHash',
    summary: 'Returns the signed bytes of a transaction by its hash; null for an unknown hash.',
    section: 'blocks',
    work: 'turn',
    parameters: [
      { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
    ],
    result: nullableShape(dataShape),
    differences:
      id === 'ledger'
        ? RAW_DIFFERENCES
        : 'The bytes of a native operation are those of its native transaction.',
    handler: ({ ledger }, [hash]) => {
      const found = ledger.findOperation(hash);
      if (found === undefined) return null;
      return objects.carriedBytes(found) ?? rawTransaction(ledger.findTransaction(hash));
    },
  });
