import { shape } from '../../../formatters/index.ts';
import {
  type CallMessage,
  type CallOutcome,
  describeHalt,
  ExecutionRevertedError,
} from '../../../ledger/index.ts';
import { toPrefixedHex } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ofState } from '../../fork/history-rules.ts';
import { defineStateQuery, type MethodDefinition } from '../../method.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../../parameters/overrides.ts';
import { STATE_DIFFERENCES, STATE_ERRORS, stateAt } from '../../profiles/ethereum-profile.ts';
import type { Profile } from '../../profiles/profile.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import { wordedRefusal } from '../../transactions/refused-calls.ts';

/** Returns the method that runs a call. @param refusalOf words the refusal of a call that could not begin */
export const callMethod = (
  { stateParameter, call: callObject }: Profile,
  refusalOf: (reason: string, message: CallMessage) => string,
): MethodDefinition =>
  defineStateQuery({
    name: 'eth_call',
    summary: 'Runs a contract without a transaction and returns its output.',
    parameters: [
      { name: 'transaction', schema: callObject },
      stateParameter,
      { name: 'stateOverrides', schema: stateOverridesSchema },
      { name: 'blockOverrides', schema: blockOverridesSchema },
    ],
    beforeFork: ofState(1, 'data'),
    result: shape.data,
    errors: [
      ERRORS.executionReverted,
      ERRORS.executionHalted,
      ERRORS.callTimedOut,
      ERRORS.insufficientFunds,
      ERRORS.feeTooLow,
      ...STATE_ERRORS,
    ],
    differences: STATE_DIFFERENCES,
    example: {
      parameters: [{ to: '0x0100000000000000000000000000000000000000', data: '0x06fdde03' }, 'latest'],
      result: '0x',
    },
    handler: (context, [request, reference, accounts, block]) => {
      const message = request(context, accounts, block);
      const { calls } = stateAt(context.ledger, reference);
      try {
        return toPrefixedHex(outputOf(calls.call(message)));
      } catch (error) {
        throw wordedRefusal(error, (reason) => refusalOf(reason, message));
      }
    },
  });

/** Returns the output of a call. @throws ExecutionRevertedError, RequestFailedError */
function outputOf(outcome: CallOutcome): Uint8Array {
  switch (outcome.status) {
    case 'success':
      return outcome.output;
    case 'revert':
      throw new ExecutionRevertedError(outcome.output);
    case 'halt':
      throw new RequestFailedError(describeHalt(outcome.halt));
  }
}
