import { z } from 'zod';
import { BASIC_FEE, type CallOutcome, describeHalt } from '../../../ledger/index.ts';
import { data, quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineQuery } from '../../method.ts';
import { callMessage } from '../../requests.ts';
import { revertMessage } from '../../revert-reason.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { stateOverridesSchema } from '../../schemas/overrides.ts';
import { addressResult, hashResult, quantityResult } from '../../schemas/results.ts';
import { callRequestSchema } from '../../schemas/transaction.ts';

const accessListResult = z
  .strictObject({
    accessList: z.array(z.strictObject({ address: addressResult, storageKeys: z.array(hashResult) })),
    gasUsed: quantityResult,
    error: z.string().optional().meta({ description: 'Why the call failed.' }),
  })
  .meta({ id: 'AccessListOutcome', title: 'access list and gas' });

export const createAccessList = defineQuery({
  name: 'eth_createAccessList',
  summary: 'Runs a call as `eth_call` does and answers the accounts and slots that it touched (EIP-2930).',
  section: 'state',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
    { name: 'stateOverrides', schema: stateOverridesSchema },
  ],
  result: accessListResult,
  errors: [ERRORS.callTimedOut, ERRORS.insufficientFunds],
  differences:
    'A transaction of this ledger carries no access list: `gasUsed` is what the call takes without one, 20 for a ' +
    'transfer.',
  handler: (context, request, _block, accounts) => {
    const message = callMessage(request, context, accounts);
    const { outcome, accessList } = context.ledger.callNotingAccess(message);
    const runsCode = message.to === undefined || context.ledger.accountByAddress(message.to) === undefined;
    const isTransfer = !runsCode && accounts.every(({ code }) => code === undefined);
    const error = errorOf(outcome);
    return {
      accessList: accessList.map(({ address, storageKeys }) => ({
        address: data(address),
        storageKeys: storageKeys.map(data),
      })),
      gasUsed: quantity(isTransfer ? BASIC_FEE : outcome.gasUsed),
      ...(error === undefined ? {} : { error }),
    };
  },
});

function errorOf(outcome: CallOutcome): string | undefined {
  switch (outcome.status) {
    case 'success':
      return undefined;
    case 'revert':
      return revertMessage(outcome.output);
    case 'halt':
      return describeHalt(outcome.halt);
  }
}
