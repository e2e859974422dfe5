import { BLOCK_TRANSACTIONS_MAX } from '../../../consensus.ts';
import { data, dataShape, objectShape, quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import { blockOf, budgetOf, requireTraceable, withinLimits } from '../../tracing/traceable.ts';

export const accountInfoAt = defineMethod({
  name: 'debug_accountInfoAt',
  summary: 'Answers balance, nonce and code of an address within a block, after one of its transactions.',
  section: 'traces',
  work: 'trace',
  parameters: [
    { name: 'block', schema: blockReferenceSchema },
    {
      name: 'transactionIndex',
      schema: boundedQuantity(BLOCK_TRANSACTIONS_MAX, 'transactions'),
      summary: 'The last transaction of the block that has run.',
    },
    { name: 'address', schema: addressSchema },
  ],
  result: objectShape({ balance: quantityShape, nonce: quantityShape, code: dataShape }),
  errors: [ERRORS.blockNotFound, ERRORS.genesisNotTraceable, ERRORS.pastNotKept, ERRORS.traceTimedOut],
  differences: 'As code sees the account: the balance in Wei, as the tracers say it.',
  handler: (context, [reference, index, address]) => {
    const { ledger } = context;
    const block = blockOf(ledger, reference);
    requireTraceable(ledger, block);
    if (index >= block.operationCount) {
      throw new RequestFailedError(`transaction index ${index} out of range for block ${block.number}`);
    }
    const budget = budgetOf(context);
    const within = { block, until: index + 1, checkTime: () => budget.checkTime() };
    const { balance, nonce, code } = withinLimits(() => ledger.accountWithin(within, address));
    return { balance: quantity(balance), nonce: quantity(nonce), code: data(code) };
  },
});
