/** The EVM: an engine in Wasm, its host's interface, and the rules that are fixed before it runs. */

export {
  type CallFailure,
  Engine,
  startWarmUp,
  type TraceListener,
} from './engine/index.ts';
export { EngineError } from './errors.ts';
export type { HaltReason } from './halt-reason.ts';
export { HARDFORKS, type Hardfork, isSince, LATEST_HARDFORK } from './hardfork.ts';
export { intrinsicGas, messageGas } from './intrinsic-gas.ts';
export { type NamedPrecompile, notingResults, precompilesOf, takeResults } from './precompiles/index.ts';
export {
  CalledFunctions,
  type CallFrame,
  CallFrames,
  EtherLogs,
  type FrameLog,
  type ReadableState,
  StructLogger,
  type StructLoggerOptions,
  type TouchedAccount,
  TouchedState,
  TraceBudget,
  TraceLimitError,
  tellingAll,
  VmTrace,
} from './tracers/index.ts';
export type {
  AccountState,
  BlockContext,
  ConsoleInputs,
  Creation,
  EvmChange,
  Execution,
  Host,
  Log,
  Message,
} from './types.ts';
export type { EvmBuild } from './wasm-module.ts';
