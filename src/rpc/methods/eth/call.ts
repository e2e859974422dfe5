import { type CallOutcome, describeHalt, ExecutionRevertedError } from '../../../ledger/index.ts';
import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../../parameters/overrides.ts';
import type { Profile } from '../../profiles/profile.ts';

export const call = ({ id, state, call: callObject }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_call',
    summary: 'Runs a contract without a transaction and returns its output.',
    section: 'state',
    work: 'worker',
    parameters: [
      { name: 'transaction', schema: callObject },
      state.parameter,
      { name: 'stateOverrides', schema: stateOverridesSchema },
      { name: 'blockOverrides', schema: blockOverridesSchema },
    ],
    result: dataShape,
    errors: [
      ERRORS.executionReverted,
      ERRORS.executionHalted,
      ERRORS.callTimedOut,
      ERRORS.insufficientFunds,
      ...(id === 'ledger' ? [] : [ERRORS.feeTooLow, ...state.errors]),
    ],
    differences:
      state.differences ??
      'An account answers `0x`, also to data. A precompiled contract cannot be overridden or moved.',
    example: {
      parameters: [{ to: '0x0100000000000000000000000000000000000000', data: '0x06fdde03' }, 'latest'],
      result: '0x',
    },
    staysHere: state.readsPending,
    handler: (context, [message, reference, accounts, block]) =>
      data(outputOf(state.atOrPending(context, reference).call(message(context, accounts, block)))),
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
