/** The EVM: an engine in Wasm, its host's interface, and the rules that are fixed before it runs. */

export { Engine, startWarmUp } from './engine/index.ts';
export { EngineError } from './errors.ts';
export type { HaltReason } from './halt-reason.ts';
export { HARDFORKS, type Hardfork, isSince, LATEST_HARDFORK } from './hardfork.ts';
export { intrinsicGas, messageGas } from './intrinsic-gas.ts';
export { type NamedPrecompile, notingResults, precompilesOf, takeResults } from './precompiles/index.ts';
export type {
  AccountState,
  BlockContext,
  Creation,
  EvmChange,
  Execution,
  Host,
  Log,
  Message,
} from './types.ts';
