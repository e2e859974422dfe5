import { quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineQuery } from '../../method.ts';
import { callMessage } from '../../requests.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../../schemas/overrides.ts';
import { quantityResult } from '../../schemas/results.ts';
import { callRequestSchema } from '../../schemas/transaction.ts';

export const estimateGas = defineQuery({
  name: 'eth_estimateGas',
  summary: 'Answers the least fee with which a transaction succeeds; nothing is added to the chain.',
  section: 'state',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
    { name: 'stateOverrides', schema: stateOverridesSchema },
    { name: 'blockOverrides', schema: blockOverridesSchema },
  ],
  result: quantityResult,
  errors: [
    ERRORS.executionReverted,
    ERRORS.executionHalted,
    ERRORS.callTimedOut,
    ERRORS.gasRequired,
    ERRORS.insufficientFunds,
    ERRORS.unknownReceiver,
    ERRORS.transferWithData,
  ],
  differences:
    'The least fee that succeeds, exactly; 20 for a transfer, which runs no code. Never more than one operation ' +
    'may offer: 16,777,216 gas, before Osaka 30,000,000.',
  example: {
    parameters: [
      {
        from: '0x0000000000000000000000000000000000000400',
        to: '0x0000000000000000000000000000000000000401',
        value: '0x9',
      },
    ],
    result: '0x14',
  },
  handler: (context, request, _block, accounts, block) =>
    quantity(context.ledger.estimateGas(callMessage(request, context, accounts, block))),
});
