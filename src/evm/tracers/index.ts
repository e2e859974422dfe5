/** Tracers: what is gathered while code runs, as plain data. */

export { TraceBudget, TraceLimitError } from './budget.ts';
export { type CallFrame, CallFrames, type FrameLog } from './call-frames.ts';
export { EtherLogs } from './ether-logs.ts';
export { CalledFunctions } from './four-bytes.ts';
export { tellingAll } from './listeners.ts';
export { type ReadableState, type TouchedAccount, TouchedState } from './prestate.ts';
export { StructLogger, type StructLoggerOptions } from './struct-logger.ts';
export { VmTrace } from './vm-trace.ts';
