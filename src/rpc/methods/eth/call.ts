import { describeHalt, ExecutionRevertedError } from '../../../ledger/index.ts';
import { invariant } from '../../../protocol/index.ts';
import { data } from '../../../view/index.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { callMessage } from '../../requests.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { dataResult } from '../../schemas/results.ts';
import { callRequestSchema } from '../../schemas/transaction.ts';

export const call = defineMethod({
  name: 'eth_call',
  summary: 'Runs a contract on the latest state without a transaction and answers what it returns.',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: dataResult,
  handler: (context, request) => {
    const outcome = context.ledger.call(callMessage(request, context));
    switch (outcome.status) {
      case 'success':
        return data(outcome.output);
      case 'revert':
        throw new ExecutionRevertedError(outcome.output);
      case 'halt':
        invariant(outcome.halt !== undefined, 'a call that halted says why');
        throw new RequestFailedError(describeHalt(outcome.halt));
    }
  },
});
