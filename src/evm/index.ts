/** The EVM: an engine in Wasm, the interface of its host, precompiled contracts and tracers. */

export { Engine } from './engine/engine.ts';
export { type CallFailure, combineListeners, type TraceListener } from './engine/tracing.ts';
export { startWarmUp } from './engine/warm-up.ts';
export { EngineError } from './engine-error.ts';
export type { HaltReason } from './halt-reason.ts';
export {
  HARDFORKS,
  type Hardfork,
  initCodeBytesMax,
  intrinsicGas,
  isSince,
  LATEST_HARDFORK,
  type MessageGas,
  messageGas,
  operationGasMax,
} from './hardfork.ts';
export { areBlobProofsValid } from './precompiles/blob-proofs.ts';
export { importResults, recordResults } from './precompiles/cached-runs.ts';
export {
  type NamedPrecompile,
  type PrecompileNumbers,
  precompileNumbersOf,
  precompilesOf,
} from './precompiles/registry.ts';
export { TraceBudget, TraceLimitError } from './tracers/budget.ts';
export { type CallFrame, CallFrames, type FrameLog } from './tracers/call-frames.ts';
export { EtherLogs } from './tracers/ether-logs.ts';
export { CalledFunctions } from './tracers/four-bytes.ts';
export { OpcodeGas } from './tracers/opcode-gas.ts';
export { type AccessedAccount, AccessedState, type ReadableState } from './tracers/prestate.ts';
export { StructLogger, type StructLoggerOptions } from './tracers/struct-logger.ts';
export { UNIMPORTANT_OPCODES, ValidationFrames } from './tracers/validation-frames.ts';
export { VmTrace } from './tracers/vm-trace.ts';
export type {
  AccountState,
  BaseFees,
  BlockContext,
  ConsoleInputs,
  Creation,
  EvmChange,
  Execution,
  Host,
  Log,
  Message,
} from './types.ts';
export { type EvmBuild, stepsBuilder } from './wasm-module.ts';
