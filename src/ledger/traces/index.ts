/** Traces: operations and calls run again, on the state of then, for somebody who listens to what their code does. */

export {
  CalledFunctions,
  type CallFailure,
  type CallFrame,
  CallFrames,
  type FrameLog,
  type ReadableState,
  StructLogger,
  type StructLoggerOptions,
  type TouchedAccount,
  TouchedState,
  TraceBudget,
  TraceLimitError,
  type TraceListener,
  tellingAll,
  VmTrace,
} from '../../evm/index.ts';
export { type AccountInfo, modifiedAccounts } from './modified-accounts.ts';
export { type ReplayObserver, replayOperations } from './replay.ts';
export type { ReplayedOperation } from './replayed-operation.ts';
export { type SlotRange, type StoredSlots, slotsOf } from './storage-range.ts';
export { type TracedRun, tracedRun } from './traced-call.ts';
export { type TracedBuild, TracedStates } from './traced-states.ts';
