import {
  type BlockContext,
  type CallFrame,
  CallFrames,
  TraceBudget,
  TraceLimitError,
} from '../../evm/index.ts';
import { TOLD_TRACE_BYTES_MAX, TOLD_TRACE_MS_MAX } from '../../limits.ts';
import { RefusedError } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { type CallMessage, runCall } from './execution.ts';

/**
 * What a call that fails calls, found by running it once more on a state whose engine tells of calls; undefined where
 * it ends before any code does, or is too much to be told.
 */
export function failedCall(
  state: WorkingState,
  block: BlockContext,
  message: CallMessage,
  gas: bigint,
): CallFrame | undefined {
  const budget = new TraceBudget(TOLD_TRACE_BYTES_MAX, TOLD_TRACE_MS_MAX);
  const frames = new CallFrames(budget, { withPaths: true });
  const { engine } = state;
  engine.listener = frames;
  try {
    const { gasUsed } = runCall(state, block, message, { gas, deadline: budget.deadline });
    // The gas of a transaction with this call, as callTracer has it.
    return frames.isEmpty ? undefined : { ...frames.root, gasUsed };
  } catch (error) {
    if (error instanceof TraceLimitError || error instanceof RefusedError) return undefined;
    throw error;
  } finally {
    engine.listener = undefined;
  }
}
