import type { Hardfork } from '../hardfork.ts';
import type { Host } from '../types.ts';
import type { EvmBuild } from '../wasm-module.ts';

/**
 * What an engine is made for: one fork's rules, and one host that it asks for every account, slot and code.
 */
export interface EngineOptions {
  readonly hardfork: Hardfork;
  readonly host: Host;
  /** Absent: the plain one, which tells a listener nothing. */
  readonly build?: EvmBuild | undefined;
  /** Whether executions tell of calls of the console, in a build that tells of calls; absent: not. */
  readonly notesConsole?: boolean | undefined;
}

/** How one engine differs from another. */
export interface EngineKind {
  readonly hardfork?: Hardfork | undefined;
  readonly build?: EvmBuild | undefined;
}
