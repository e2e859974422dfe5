import { quantity } from '../../view/index.ts';
import { knowsErrors } from '../context/node-parts.ts';
import { ERRORS } from '../description/described-errors.ts';
import { defineMethod } from '../method.ts';
import { stateOverridesSchema } from '../parameters/overrides.ts';
import { STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from '../profiles/state-at.ts';
import { accessListOutcomeShape, accessListText, failureTextOf } from '../transactions/access-list.ts';
import {
  ethereumMessage,
  ethereumRequestSchema,
  offeredFee,
} from '../transactions/ethereum-call-messages.ts';

/**
 * Beside that of `/`, whose transactions carry no access list: here the call runs once more with its list, and offers
 * fees as geth does.
 */
export const createAccessList = defineMethod({
  name: 'eth_createAccessList',
  summary: 'Runs a call as `eth_call` does and answers the accounts and slots that it touched (EIP-2930).',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'transaction', schema: ethereumRequestSchema },
    STATE_PARAMETER,
    { name: 'stateOverrides', schema: stateOverridesSchema },
  ],
  result: accessListOutcomeShape,
  errors: [ERRORS.callTimedOut, ERRORS.insufficientFunds, ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences: STATE_DIFFERENCES,
  staysHere: knowsErrors,
  handler: (context, [request, reference, accounts]) => {
    const { ledger } = context;
    // Geth fills in the fees of a transaction that lacks them here, unlike for calls and estimates.
    const maxFeePerGas =
      request.gasPrice === undefined ? offeredFee(request, ledger.rules.baseFee) : undefined;
    const message = ethereumMessage({ ...request, maxFeePerGas }, context, { accounts });
    const state = stateAt(ledger, reference);
    const { accessList } = state.callNotingAccess(message);
    // What it takes is less with the list, or more: its entries cost, and what they name is warm.
    const outcome = state.call({ ...message, accessList });
    const error = failureTextOf(outcome, context.artifacts);
    return {
      accessList: accessListText(accessList),
      gasUsed: quantity(outcome.gasUsed),
      ...(error === undefined ? {} : { error }),
    };
  },
});
