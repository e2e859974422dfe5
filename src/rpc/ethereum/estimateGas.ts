import { quantity, quantityShape } from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import { defineMethod } from '../method.ts';
import { blockReferenceSchema } from '../parameters/block.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../parameters/overrides.ts';
import { optional } from '../parameters/schema.ts';
import { pendingOr } from '../profiles/state-at.ts';
import { ethereumMessage, ethereumRequestSchema } from '../transactions/ethereum-call-messages.ts';

/** Beside that of `/`, which estimates the fee of a native operation, and sees nothing that waits. */
export const estimateGas = defineMethod({
  name: 'eth_estimateGas',
  summary: 'Answers the least gas with which a transaction succeeds; nothing is added to the chain.',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'transaction', schema: ethereumRequestSchema },
    {
      name: 'block',
      schema: optional(blockReferenceSchema, 'pending' as const),
      summary: 'What waits, too, where it is absent.',
    },
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
    ERRORS.feeTooLow,
    ERRORS.headerNotFound,
    ERRORS.stateNotKept,
  ],
  differences: 'Exactly the least gas; never more than one transaction may offer (EIP-7825).',
  example: {
    parameters: [{ to: '0x00000000000000000000000000000000000000aa', value: '0x1' }],
    result: '0x5208',
  },
  staysHere: ({ pending }, { parameters }) => {
    if (pending.isEmpty) return false;
    const tag: unknown = Array.isArray(parameters) ? parameters[1] : undefined;
    return tag === 'pending' || tag == null;
  },
  handler: (context, [request, reference, accounts, block]) => {
    const { ledger, pending } = context;
    const message = ethereumMessage(request, context, { accounts, block });
    return quantity(pendingOr(pending, ledger, reference).estimateTransaction(message));
  },
});
