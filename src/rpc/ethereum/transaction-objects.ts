import { filledTransactionShape, shape, toFilledTransaction } from '../../formatters/index.ts';
import { quantity, serializeEthereumTransaction, toPrefixedHex } from '../../protocol/index.ts';
import { decodesErrors } from '../context/node-dependencies.ts';
import { ERRORS } from '../description/described-errors.ts';
import { ofState } from '../fork/history-rules.ts';
import { defineMethod, defineStateQuery, hasPending } from '../method.ts';
import { blockReferenceSchema } from '../parameters/block.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../parameters/overrides.ts';
import { optional } from '../parameters/schema.ts';
import { STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from '../profiles/ethereum-profile.ts';
import { RequestFailedError } from '../rpc-errors.ts';
import { accessListOutcomeShape, toAccessListOutcome } from '../transactions/access-list.ts';
import {
  completeTransaction,
  ethereumMessage,
  ethereumRequestSchema,
  feesOf,
  offeredFee,
} from '../transactions/ethereum-call-messages.ts';

/** Beside that of `/`, which estimates the fee of a native operation, and sees nothing that waits. */
export const estimateGas = defineStateQuery({
  name: 'eth_estimateGas',
  summary: 'Returns the least gas with which a transaction succeeds; nothing is added to the chain.',
  parameters: [
    { name: 'transaction', schema: ethereumRequestSchema },
    {
      name: 'block',
      schema: optional(blockReferenceSchema, 'pending' as const),
      summary: 'Absent: `pending`.',
    },
    { name: 'stateOverrides', schema: stateOverridesSchema },
    { name: 'blockOverrides', schema: blockOverridesSchema },
  ],
  beforeFork: ofState(1, 'quantity'),
  result: shape.quantity,
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
  // Without pending transactions the head and the context of the next block give the same.
  namesPending: (context, call) => {
    if (context.pending.isEmpty) return false;
    return hasPending(context, call) || !Array.isArray(call.parameters) || call.parameters[1] == null;
  },
  handler: (context, [request, reference, accounts, block]) => {
    const { ledger } = context;
    const message = ethereumMessage(request, context, { accounts, block });
    return quantity(stateAt(ledger, reference).calls.estimateTransaction(message));
  },
});

/**
 * Beside that of `/`, whose transactions carry no access list: here the call runs once more with its list, and offers
 * fees as geth does.
 */
export const createAccessList = defineStateQuery({
  name: 'eth_createAccessList',
  summary: 'Runs a call as `eth_call` does and returns the accounts and slots that it touched (EIP-2930).',
  parameters: [
    { name: 'transaction', schema: ethereumRequestSchema },
    STATE_PARAMETER,
    { name: 'stateOverrides', schema: stateOverridesSchema },
  ],
  beforeFork: ofState(1, 'object'),
  result: accessListOutcomeShape,
  errors: [ERRORS.callTimedOut, ERRORS.insufficientFunds, ERRORS.headerNotFound, ERRORS.stateNotKept],
  differences: STATE_DIFFERENCES,
  staysHere: decodesErrors,
  handler: (context, [request, reference, accounts]) => {
    const { ledger } = context;
    const named = ethereumMessage(request, context, { accounts });
    // Geth fills in the fees of a transaction that lacks them here, unlike for calls and estimates.
    const feeCap = offeredFee(request, ledger.prices.next().baseFee);
    const isNamed = request.gasPrice !== undefined || request.maxFeePerGas !== undefined;
    const message = isNamed
      ? named
      : { ...named, fees: { ...feesOf(request, ledger), feeCap }, isFree: true };
    const state = stateAt(ledger, reference);
    const { accessList } = state.calls.callWithAccessList(message);
    // What it takes is less with the list, or more: its entries cost, and what they name is warm.
    const outcome = state.calls.call({ ...message, accessList });
    return toAccessListOutcome(accessList, outcome.gasUsed, outcome, context.artifacts);
  },
});

export const fillTransaction = defineMethod({
  name: 'eth_fillTransaction',
  summary: 'Fills in the nonce, gas and price that a transaction lacks; signs nothing.',
  section: 'state',
  parameters: [{ name: 'transaction', schema: ethereumRequestSchema }],
  beforeFork: 'local',
  result: shape.object({ raw: shape.described(shape.data, 'Unsigned bytes.'), tx: filledTransactionShape }),
  errors: [ERRORS.executionReverted, ERRORS.executionHalted, ERRORS.gasRequired, ERRORS.insufficientFunds],
  differences: '`raw` has zeros as its signature, which `tx` lacks.',
  handler: (context, [request]) => {
    const { from } = request;
    if (from === undefined) throw new RequestFailedError('missing from: the nonce is that of the sender');
    const filled = completeTransaction(context, request, from);
    return {
      raw: toPrefixedHex(serializeEthereumTransaction(filled, undefined)),
      tx: toFilledTransaction(filled),
    };
  },
});
