/** The engine: runs messages in Wasm against a host. */

export { Engine } from './engine.ts';
export type { RunningFrame } from './running-frame.ts';
export type { CallFailure, CallKind, EnteredCall, LeftCall, SelfDestruct, TraceListener } from './tracing.ts';
export { startWarmUp } from './warm-up.ts';
