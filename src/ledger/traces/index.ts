/** Traces: operations and calls run again, on the state of then, for somebody who listens to what their code does. */

export { type ReplayedOperation, type ReplayObserver, replayOperations } from './replay.ts';
export { runTracedCall } from './traced-call.ts';
export { type TracedBuild, TracedStates } from './traced-states.ts';
