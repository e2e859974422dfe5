import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { callMessage } from '../../requests.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { quantityResult } from '../../schemas/results.ts';
import { callRequestSchema } from '../../schemas/transaction.ts';

export const estimateGas = defineMethod({
  name: 'eth_estimateGas',
  summary: 'Answers the least fee with which a transaction succeeds; nothing is added to the chain.',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: quantityResult,
  handler: (context, request) => quantity(context.ledger.estimateGas(callMessage(request, context))),
});
