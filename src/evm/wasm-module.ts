import { readFileSync } from 'node:fs';
import { ARENA, PAGE_BYTES } from './assembly/layout.ts';

/** The exports of `assembly/index.ts`. Offsets and lengths are in bytes of its memory. */
export interface EvmModule {
  readonly memory: WebAssembly.Memory;
  readonly journalEnd: { readonly value: number };
  readonly creationCount: { readonly value: number };
  readonly refund: { readonly value: bigint };
  readonly returnDataLength: { readonly value: number };
  initialise(hardfork: number, precompiles: number, memoryBytes: number): number;
  findAccount(address: number): number;
  findSlot(account: number, key: number): number;
  setBalanceFromHost(account: number, balance: number): void;
  setNonceFromHost(account: number, nonce: bigint): void;
  codeOf(account: number): number;
  allocateCode(length: number): number;
  beginTransaction(): void;
  authorize(authority: number, target: number, nonce: bigint): void;
  warmAccount(address: number): void;
  warmStorage(address: number, key: number): void;
  inputPointer(length: number): number;
  runTransaction(creates: number, inputLength: number): void;
  endTransaction(): void;
  closeTransaction(): void;
  revertJournal(end: number): void;
  revertTo(end: number): number;
  settle(): void;
  emptyTables(): void;
  overridePrecompiles(areOverridden: number): void;
  trimTables(): number;
  /** Selects the events of which the host is notified, among those of the build. */
  setTracing(calls: number, steps: number, console: number): void;
}

type Loading =
  | 'loadAccount'
  | 'loadSlot'
  | 'hasStorage'
  | 'mayHaveStorage'
  | 'loadCode'
  | 'loadBlockHash'
  | 'createAddress';
/** Only the build of steps calls `step`; both traced builds call the others. */
type Tracing = 'step' | 'enter' | 'leave' | 'log' | 'selfdestructed' | 'consoleCalled';

/** The imports of `assembly/host.ts`. */
export type EvmImports = Readonly<
  Record<
    Loading | Tracing | 'overriddenPrecompile' | 'runPrecompile' | 'fail',
    (...values: never[]) => unknown
  >
>;

/** The builds of the engine: `evm-calls` reports calls and logs, `evm-steps` every instruction as well. */
export type EvmBuild = 'evm' | 'evm-calls' | 'evm-steps';

const compiled = new Map<EvmBuild, WebAssembly.Module>();

/** Returns the engine's module, compiled once per process and build. */
export function loadEvmModule(build: EvmBuild): WebAssembly.Module {
  const file = new URL(`../../build/${build}.wasm`, import.meta.url);
  const module = compiled.get(build) ?? new WebAssembly.Module(readFileSync(file));
  compiled.set(build, module);
  return module;
}

/** Creates an instance with separate memory and tables. */
export function instantiateEvm(module: WebAssembly.Module, imports: EvmImports): EvmModule {
  // Large from the start: V8 counts a grown memory as a new allocation and runs a full garbage collection.
  const memory = new WebAssembly.Memory({ initial: Math.ceil(ARENA / PAGE_BYTES) + 1 });
  const environment = { memory, abort: imports.fail };
  const instance = new WebAssembly.Instance(module, { host: { ...imports }, env: environment });
  return instance.exports as unknown as EvmModule; // the two interfaces above describe the same source
}
