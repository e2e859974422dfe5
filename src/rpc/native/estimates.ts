import { shape } from '../../formatters/index.ts';
import { BASIC_FEE } from '../../ledger/index.ts';
import { quantity } from '../../protocol/index.ts';
import { decodesErrors } from '../context/node-dependencies.ts';
import { ERRORS } from '../description/described-errors.ts';
import { defineStateQuery } from '../method.ts';
import { ignoredBlockSchema } from '../parameters/block.ts';
import { callRequestSchema } from '../parameters/call-object.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../parameters/overrides.ts';
import { accessListOutcomeShape, toAccessListOutcome } from '../transactions/access-list.ts';
import { callMessage } from '../transactions/call-messages.ts';

/** Beside that of `/ethereum`, which estimates the gas of an Ethereum transaction: this is the fee of an operation. */
export const estimateGas = defineStateQuery({
  name: 'eth_estimateGas',
  summary: 'Returns the least fee with which a transaction succeeds; nothing is added to the chain.',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
    { name: 'stateOverrides', schema: stateOverridesSchema },
    { name: 'blockOverrides', schema: blockOverridesSchema },
  ],
  beforeFork: 'local',
  result: shape.quantity,
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
    'The exact least fee; 20 for a transfer, which runs no code. At most the gas limit of one operation: ' +
    '16,777,216, before Osaka 30,000,000. An impersonated sender needs no balance for the fee.',
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
    return quantity(context.ledger.calls.estimateGas({ ...message, isFree }));
  },
});

/** Beside that of `/ethereum`, whose transactions can carry the list: here the gas is that of a call without it. */
export const createAccessList = defineStateQuery({
  name: 'eth_createAccessList',
  summary: 'Runs a call as `eth_call` does and returns the accounts and slots that it touched (EIP-2930).',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
    { name: 'stateOverrides', schema: stateOverridesSchema },
  ],
  beforeFork: 'local',
  result: accessListOutcomeShape,
  errors: [ERRORS.callTimedOut, ERRORS.insufficientFunds],
  differences:
    'A transaction of this ledger carries no access list: `gasUsed` is that of the call without one, 20 for a ' +
    'transfer.',
  staysHere: decodesErrors,
  handler: (context, [request, _block, accounts]) => {
    const message = callMessage(request, context, accounts);
    const { outcome, accessList } = context.ledger.calls.callWithAccessList(message);
    const runsCode =
      message.to === undefined || context.ledger.accounts.accountByAddress(message.to) === undefined;
    const isTransfer = !runsCode && accounts.every(({ code }) => code === undefined);
    const gasUsed = isTransfer ? BASIC_FEE : outcome.gasUsed;
    return toAccessListOutcome(accessList, gasUsed, outcome, context.artifacts);
  },
});
