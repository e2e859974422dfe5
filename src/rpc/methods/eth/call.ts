import { describeHalt, ExecutionRevertedError, RefusedError } from '../../../ledger/index.ts';
import { invariant, ZERO_ADDRESS } from '../../../protocol/index.ts';
import { data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineQuery, type QueryContext } from '../../method.ts';
import { callMessage } from '../../requests.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { dataResult } from '../../schemas/results.ts';
import { type CallRequest, callRequestSchema } from '../../schemas/transaction.ts';

export const call = defineQuery({
  name: 'eth_call',
  summary: 'Runs a contract on the latest state without a transaction and answers what it returns.',
  section: 'state',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: dataResult,
  errors: [ERRORS.executionReverted, ERRORS.executionHalted, ERRORS.callTimedOut, ERRORS.insufficientFunds],
  differences: 'An account answers `0x`, also to data. State and block overrides are not known.',
  example: {
    parameters: [{ to: '0x0100000000000000000000000000000000000000', data: '0x06fdde03' }, 'latest'],
    result: '0x',
  },
  handler: (context, request) => {
    const outcome = context.ledger.call(callMessage(request, context));
    switch (outcome.status) {
      case 'success':
        return data(outcome.output);
      case 'revert':
        throw new ExecutionRevertedError(outcome.output);
      case 'halt':
        invariant(outcome.halt !== undefined, 'a call that halted says why');
        if (outcome.halt === 'insufficientBalance') throw insufficientFunds(request, context);
        throw new RequestFailedError(describeHalt(outcome.halt));
    }
  },
});

/** The sender's own lack of funds; where a contract lacks them, its call fails and the execution goes on. */
function insufficientFunds({ from, value }: CallRequest, { ledger }: QueryContext): RefusedError {
  const payer = from ?? ZERO_ADDRESS;
  return new RefusedError({
    code: 'insufficientFunds',
    payer,
    have: ledger.balanceOf(payer),
    want: value ?? 0n,
  });
}
