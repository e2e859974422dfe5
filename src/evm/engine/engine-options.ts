import type { EvmRules } from '../hardfork.ts';
import type { Host } from '../types.ts';
import type { EvmBuild, EvmModule } from '../wasm-module.ts';
import type { WasmMemory } from './engine-memory.ts';

/** An instance of a build, with its memory. */
export interface EngineInstance {
  readonly module: EvmModule;
  readonly memory: WasmMemory;
}

export interface EngineOptions extends EvmRules {
  /** Source of accounts, slots and code. */
  readonly host: Host;
  /** Absent: the build without steps. */
  readonly build?: EvmBuild | undefined;
  /** True if executions report calls of the console; absent: false. */
  readonly recordsConsole?: boolean | undefined;
}
