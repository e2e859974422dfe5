import { quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { callRequestSchema } from '../../parameters/call-object.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../../parameters/overrides.ts';
import { callMessage } from '../../transactions/call-messages.ts';

/** Beside that of `/ethereum`, which estimates the gas of an Ethereum transaction: this is the fee of an operation. */
export const estimateGas = defineMethod({
  name: 'eth_estimateGas',
  summary: 'Answers the least fee with which a transaction succeeds; nothing is added to the chain.',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
    { name: 'stateOverrides', schema: stateOverridesSchema },
    { name: 'blockOverrides', schema: blockOverridesSchema },
  ],
  result: quantityShape,
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
    'may offer: 16,777,216 gas, before Osaka 30,000,000. An impersonated sender needs no balance for it.',
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
  staysHere: ({ wallet }) => wallet?.impersonation.isUsed === true,
  handler: (context, [request, _block, accounts, block]) => {
    const isFree = request.from !== undefined && context.impersonates?.(request.from) === true;
    const message = callMessage(request, context, accounts, block);
    return quantity(context.ledger.estimateGas({ ...message, isFree }));
  },
});
