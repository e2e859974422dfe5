/** Traces: operations and calls run again, on the state of then, for somebody who listens to what their code does. */

export { type ReplayedOperation, type ReplayObserver, replayOperations } from './replay.ts';
export { type SlotRange, type StoredSlots, slotsOf } from './storage-range.ts';
export { type TracedRun, tracedRun } from './traced-call.ts';
export { type TracedBuild, TracedStates } from './traced-states.ts';
