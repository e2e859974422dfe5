/** The EVM: an engine in Wasm, its host's interface, and the rules that are fixed before it runs. */

export { Engine, type EngineOptions } from './engine.ts';
export { EngineError, type EngineFailure } from './errors.ts';
export type { HaltReason } from './halt-reason.ts';
export { HARDFORKS, type Hardfork, isSince, LATEST_HARDFORK } from './hardfork.ts';
export { type IntrinsicGasInput, intrinsicGas } from './intrinsic-gas.ts';
export { signatureRecovery } from './precompiles/ecrecover.ts';
export { type NamedPrecompile, precompilesOf } from './precompiles/names.ts';
export type { Step, StepListener } from './tracing.ts';
export type {
  AccessList,
  AccountState,
  BlockContext,
  Checkpoint,
  Creation,
  EvmChange,
  Execution,
  Host,
  Log,
  Message,
} from './types.ts';
export { startWarmUp } from './warm-up.ts';
