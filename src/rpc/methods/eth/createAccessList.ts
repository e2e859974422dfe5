import { BASIC_FEE } from '../../../ledger/index.ts';
import { quantity } from '../../../view/index.ts';
import { knowsErrors } from '../../context/node-parts.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { callRequestSchema } from '../../parameters/call-object.ts';
import { stateOverridesSchema } from '../../parameters/overrides.ts';
import { accessListOutcomeShape, accessListText, failureTextOf } from '../../transactions/access-list.ts';
import { callMessage } from '../../transactions/call-messages.ts';

/** Beside that of `/ethereum`, whose transactions can carry the list: here the gas is that of a call without it. */
export const createAccessList = defineMethod({
  name: 'eth_createAccessList',
  summary: 'Runs a call as `eth_call` does and answers the accounts and slots that it touched (EIP-2930).',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
    { name: 'stateOverrides', schema: stateOverridesSchema },
  ],
  result: accessListOutcomeShape,
  errors: [ERRORS.callTimedOut, ERRORS.insufficientFunds],
  differences:
    'A transaction of this ledger carries no access list: `gasUsed` is what the call takes without one, 20 for a ' +
    'transfer.',
  staysHere: knowsErrors,
  handler: (context, [request, _block, accounts]) => {
    const message = callMessage(request, context, accounts);
    const { outcome, accessList } = context.ledger.callNotingAccess(message);
    const runsCode = message.to === undefined || context.ledger.accountByAddress(message.to) === undefined;
    const isTransfer = !runsCode && accounts.every(({ code }) => code === undefined);
    const error = failureTextOf(outcome, context.artifacts);
    return {
      accessList: accessListText(accessList),
      gasUsed: quantity(isTransfer ? BASIC_FEE : outcome.gasUsed),
      ...(error === undefined ? {} : { error }),
    };
  },
});
