import { dataShape, nullableShape } from '../../../view/index.ts';
import { blockBySelector, operationIn } from '../../answers/find-block.ts';
import { RAW_DIFFERENCES, rawTransaction } from '../../answers/raw-transaction.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getRawTransactionByBlockNumberAndIndex = ({ id, objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getRawTransactionByBlockNumberAndIndex',
    summary:
      'Returns the signed bytes of the transaction at a position of a block; null where there is none.',
    section: 'blocks',
    work: 'worker',
    parameters: [
      { name: 'block', schema: blockSelectorSchema },
      { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
    ],
    result: nullableShape(dataShape),
    differences:
      id === 'ledger'
        ? RAW_DIFFERENCES
        : 'The bytes of a native operation are those of its native transaction.',
    handler: ({ ledger }, [selector, index]) => {
      const operation = operationIn(ledger, blockBySelector(ledger, selector), index);
      if (operation === undefined) return null;
      const { block, index: position } = operation;
      return objects.carriedBytes(operation) ?? rawTransaction(ledger.transactionAt(block.number, position));
    },
  });
