import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EVM_MEMORY_BYTES_MAX } from '../consensus.ts';
import { ARENA, PAGE_BYTES } from './assembly/layout.ts';
import { EngineError } from './engine-error.ts';

/** Milliseconds for the compiler of the engine with steps, and for a set-up that began before it, on a busy machine. */
const STEPS_BUILD_MS_MAX = 180_000;

/** The exports of `assembly/index.ts`. Offsets and lengths are in bytes of its memory. */
export interface EvmModule {
  readonly memory: WebAssembly.Memory;
  readonly journalEnd: { readonly value: number };
  readonly creationCount: { readonly value: number };
  readonly refund: { readonly value: bigint };
  readonly returnDataLength: { readonly value: number };
  initialise(hardfork: number, precompiles: number, memoryBytes: number, codeBytes: number): number;
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
  const module = compiled.get(build) ?? new WebAssembly.Module(readFileSync(fileOf(build)));
  compiled.set(build, module);
  return module;
}

const fileOf = (build: EvmBuild): URL => new URL(`../../build/${build}.wasm`, import.meta.url);

const BUILDER = fileURLToPath(new URL('../../scripts/wasm/build.js', import.meta.url));
let building: Promise<void> | undefined;

/**
 * Returns the function that compiles `evm-steps`, which a new checkout compiles only after its start; undefined if it
 * exists, as in every installed package.
 */
export function stepsBuilder(): (() => Promise<void>) | undefined {
  return existsSync(fileOf('evm-steps')) || !existsSync(BUILDER) ? undefined : buildSteps;
}

/** Compiles `evm-steps`, once for concurrent callers. @throws EngineError `notBuilt`, by the promise */
function buildSteps(): Promise<void> {
  building ??= promisify(execFile)(process.execPath, [BUILDER, '--traces'], { timeout: STEPS_BUILD_MS_MAX })
    .then(() => undefined)
    .catch((cause: unknown) => Promise.reject(new EngineError('notBuilt', { cause })))
    .finally(() => {
      building = undefined;
    });
  return building;
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
