import { describeHalt, ExecutionRevertedError } from '../../../ledger/index.ts';
import { invariant } from '../../../protocol/index.ts';
import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { callRequestSchema } from '../../parameters/call-object.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../../parameters/overrides.ts';
import { callMessage } from '../../transactions/call-messages.ts';

export const call = defineMethod({
  name: 'eth_call',
  summary: 'Runs a contract on the latest state without a transaction and answers what it returns.',
  section: 'state',
  work: 'worker',
  parameters: [
    { name: 'transaction', schema: callRequestSchema },
    { name: 'block', schema: ignoredBlockSchema },
    { name: 'stateOverrides', schema: stateOverridesSchema },
    { name: 'blockOverrides', schema: blockOverridesSchema },
  ],
  result: dataShape,
  errors: [ERRORS.executionReverted, ERRORS.executionHalted, ERRORS.callTimedOut, ERRORS.insufficientFunds],
  differences: 'An account answers `0x`, also to data. A precompiled contract cannot be overridden or moved.',
  example: {
    parameters: [{ to: '0x0100000000000000000000000000000000000000', data: '0x06fdde03' }, 'latest'],
    result: '0x',
  },
  handler: (context, [request, _block, accounts, block]) => {
    const outcome = context.ledger.call(callMessage(request, context, accounts, block));
    switch (outcome.status) {
      case 'success':
        return data(outcome.output);
      case 'revert':
        throw new ExecutionRevertedError(outcome.output);
      case 'halt':
        invariant(outcome.halt !== undefined, 'a call that halted says why');
        throw new RequestFailedError(describeHalt(outcome.halt));
    }
  },
});
