import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../../parameters/overrides.ts';
import { pendingOr, STATE_DIFFERENCES, STATE_PARAMETER } from '../../profiles/state-at.ts';
import { ethereumMessage, ethereumRequestSchema } from '../../transactions/ethereum-call-messages.ts';
import { asksPending, outputOf } from './outcome.ts';

export const call = defineMethod({
  name: 'eth_call',
  summary: 'Runs a contract without a transaction and answers what it returns.',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'transaction', schema: ethereumRequestSchema },
    STATE_PARAMETER,
    { name: 'stateOverrides', schema: stateOverridesSchema },
    { name: 'blockOverrides', schema: blockOverridesSchema },
  ],
  result: dataShape,
  errors: [
    ERRORS.executionReverted,
    ERRORS.executionHalted,
    ERRORS.callTimedOut,
    ERRORS.insufficientFunds,
    ERRORS.feeTooLow,
    ERRORS.headerNotFound,
    ERRORS.stateNotKept,
  ],
  differences: STATE_DIFFERENCES,
  staysHere: asksPending('asksNot'),
  handler: (context, [request, reference, accounts, block]) => {
    const { ledger, pending } = context;
    const message = ethereumMessage(request, context, { accounts, block });
    const outcome = pendingOr(pending, ledger, reference).call(message);
    return data(outputOf(outcome));
  },
});
