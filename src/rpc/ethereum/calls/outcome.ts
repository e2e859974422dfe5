import { type CallOutcome, describeHalt, ExecutionRevertedError } from '../../../ledger/index.ts';
import { RequestFailedError } from '../../errors.ts';
import type { MethodCall } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';

/** What a call returned. @throws ExecutionRevertedError, RequestFailedError */
export function outputOf(outcome: CallOutcome): Uint8Array {
  switch (outcome.status) {
    case 'success':
      return outcome.output;
    case 'revert':
      throw new ExecutionRevertedError(outcome.output);
    case 'halt':
      throw new RequestFailedError(describeHalt(outcome.halt));
  }
}

/**
 * Whether a call is for the state after what waits, of which only the node itself knows.
 *
 * @param absent whether a call without the parameter is
 */
export function asksPending(
  absent: 'asksToo' | 'asksNot',
): (context: MethodContext, call: MethodCall) => boolean {
  return ({ pending }, { parameters }) => {
    if (pending.isEmpty) return false;
    const tag: unknown = Array.isArray(parameters) ? parameters[1] : undefined;
    return tag === 'pending' || (tag == null && absent === 'asksToo');
  };
}
