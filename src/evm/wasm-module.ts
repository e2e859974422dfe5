import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EVM_MEMORY_BYTES_MAX } from '../consensus.ts';
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
  /** Selects if the path of each frame is recorded, which makes code slow. */
  setPathTracing(isTracing: number): void;
}

type Loading =
  | 'loadAccount'
  | 'loadSlot'
  | 'hasStorage'
  | 'mayHaveStorage'
  | 'loadCode'
  | 'loadBlockHash'
  | 'createAddress';
/** Only the build of steps calls `step`. */
type Tracing = 'step' | 'enter' | 'leave' | 'log' | 'selfdestructed' | 'consoleCalled';

/** The imports of `assembly/host.ts`. */
export type EvmImports = Readonly<
  Record<
    Loading | Tracing | 'overriddenPrecompile' | 'runPrecompile' | 'fail',
    (...values: never[]) => unknown
  >
>;

/** The builds of the engine: `evm` reports calls and logs, `evm-steps` every instruction as well. */
export type EvmBuild = 'evm' | 'evm-steps';

const compiled = new Map<EvmBuild, WebAssembly.Module>();

/** Returns the engine's module, compiled once per process and build. */
export function loadEvmModule(build: EvmBuild): WebAssembly.Module {
  const module = compiled.get(build) ?? new WebAssembly.Module(readBuild(build));
  compiled.set(build, module);
  return module;
}

/** Reads a build. A new checkout makes those for traces after its start: an earlier trace waits for them here. */
function readBuild(build: EvmBuild): Uint8Array {
  const file = new URL(`../../build/${build}.wasm`, import.meta.url);
  const builder = fileURLToPath(new URL('../../scripts/build-wasm.js', import.meta.url));
  if (!existsSync(file) && existsSync(builder)) {
    execFileSync(process.execPath, [builder, '--traces'], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return readFileSync(file);
}

/** Pages of all that an engine can use, and of reads slightly beyond. Only touched ones use memory of the process. */
const PAGES = Math.ceil((ARENA + EVM_MEMORY_BYTES_MAX) / PAGE_BYTES) + 1;

/** Creates an instance with separate memory and tables. */
export function instantiateEvm(module: WebAssembly.Module, imports: EvmImports): EvmModule {
  // Shared, though no other thread uses it: V8 counts the size of any other one, and collects all garbage for it.
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true });
  const environment = { memory, abort: imports.fail };
  const instance = new WebAssembly.Instance(module, { host: { ...imports }, env: environment });
  return instance.exports as unknown as EvmModule; // the two interfaces above describe the same source
}
