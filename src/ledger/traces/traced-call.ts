import type { BlockContext, Execution, ReadableState, TraceListener } from '../../evm/index.ts';
import type { Address, Operation } from '../../protocol/index.ts';
import { type CallMessage, executeCall, requireBegun, secondsOf } from '../calls/execution.ts';
import type { OperationReceipt } from '../chain/records.ts';
import type { WorkingState } from '../state/working-state.ts';
import { throwCallError } from '../transactions/apply-transaction.ts';

export interface TracedRun {
  /** Their state, between and during calls. */
  readonly state: ReadableState;
  readonly block: BlockContext;
  /**
   * Runs a call, with fees as a transaction; its changes stay for the next.
   * @param deadline by `performance.now()`; it may move while the call runs
   * @throws RefusedError if the call cannot begin, if the engine has no room, or at the deadline
   */
  run(
    message: CallMessage & { readonly gas: bigint },
    deadline: () => number,
    listener: TraceListener,
  ): Execution;
}

export function tracedRun(state: WorkingState, block: BlockContext): TracedRun {
  return {
    state: state.engine,
    block,
    run: (message, deadline, listener) => runTracedCall(state, block, message, deadline, listener),
  };
}

function runTracedCall(
  state: WorkingState,
  block: BlockContext,
  message: CallMessage & { readonly gas: bigint },
  deadline: () => number,
  listener: TraceListener,
): Execution {
  const { engine } = state;
  engine.listener = listener;
  try {
    const { gas, fees } = message;
    const execution = executeCall(state, block, message, {
      gas,
      deadline,
      isTransaction: fees !== undefined,
    });
    return requireBegun(state, message, execution, gas);
  } catch (error) {
    throwCallError(error, secondsOf(message));
  } finally {
    engine.listener = undefined;
  }
}

/** An operation of a block that runs again. */
export interface ReplayedOperation {
  readonly index: number;
  readonly operation: Operation;
  /** Its receiver; undefined for none. */
  readonly to: Address | undefined;
  /** Its receipt; undefined if it is in no block. */
  readonly receipt: OperationReceipt | undefined;
}
