/** The engine: runs messages in Wasm against a host. */

export { Engine } from './engine.ts';
export type { Step, StepListener } from './tracing.ts';
export { startWarmUp } from './warm-up.ts';
