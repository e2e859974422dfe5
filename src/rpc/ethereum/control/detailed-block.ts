import type { BlockSummary } from '../../../ledger/index.ts';
import { invariant } from '../../../protocol/index.ts';
import {
  arrayShape,
  blockShapeWith,
  data,
  dataShape,
  describedShape,
  namedShape,
  nullableShape,
  revertMessage,
  type Shape,
  textShape,
  toEthereumBlock,
} from '../../../view/index.ts';
import { transactionObject } from '../../answers/ethereum-objects.ts';
import { stepped } from '../../json/text-steps.ts';
import type { QueryContext } from '../../method-context.ts';

/** A transaction object with what came of the transaction. */
const detailedTransactionShape: Shape<object> = {
  describe: (components) => ({
    type: 'object',
    required: ['hash', 'output', 'revertReason'],
    properties: {
      output: describedShape(dataShape, 'Revert data; empty after a success.').describe(components),
      revertReason: describedShape(nullableShape(textShape), 'Why it failed; null after a success.').describe(
        components,
      ),
    },
  }),
};

/** A block whose transactions tell what came of them. */
export const detailedBlockShape = namedShape(
  'DetailedBlock',
  { title: 'block object with what came of its transactions' },
  blockShapeWith(arrayShape(detailedTransactionShape), {}),
);

/** The block object of a block, whose transactions tell what came of them. */
export function detailedBlockOf(context: QueryContext, block: BlockSummary) {
  const { ledger, blockFacts } = context;
  const transactions = ledger.blockTransactions(block.number).map((operation) => {
    const receipt = ledger.receiptOutlineOf(block.number, operation.index);
    invariant(receipt !== undefined, 'an operation of a block has a receipt');
    const { status, output } = receipt;
    const revertReason = status === 'failure' ? revertMessage(output) : null;
    return { ...transactionObject(context, operation), output: data(output), revertReason };
  });
  return toEthereumBlock(block, stepped(blockFacts.factSteps(ledger, block)), ledger.rules, transactions);
}
