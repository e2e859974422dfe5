import { readFileSync } from 'node:fs';
import { ARENA, PAGE_BYTES } from './assembly/layout.ts';

/** A global that Wasm changes and the host reads. */
interface ReadableGlobal<T> {
  readonly value: T;
}

/** The exports of `assembly/index.ts`. Offsets and lengths are bytes of its memory. */
export interface EvmModule {
  readonly memory: WebAssembly.Memory;
  readonly journalEnd: ReadableGlobal<number>;
  readonly creationCount: ReadableGlobal<number>;
  readonly refund: ReadableGlobal<bigint>;
  readonly returnDataLength: ReadableGlobal<number>;
  initialise(hardfork: number, precompiles: number, memoryBytes: number): number;
  findAccount(address: number): number;
  findSlot(account: number, key: number): number;
  setBalanceOutside(account: number, balance: number): void;
  setNonceOutside(account: number, nonce: bigint): void;
  codeOf(account: number): number;
  allocateCode(length: number): number;
  beginTransaction(): void;
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
  makeRoom(): number;
  /** Says what the host is told of, as far as the build tells it. */
  setListening(calls: number, steps: number, console: number): void;
}

/** The imports of `assembly/host.ts`. */
export interface EvmImports {
  loadAccount(account: number): void;
  loadSlot(slot: number): void;
  hasStorage(account: number): number;
  loadCode(account: number): number;
  loadBlockHash(distance: number, result: number): void;
  createAddress(creator: number, creation: number, result: number): void;
  runPrecompile(number: number, input: number, length: number): number;
  fail(code: number): void;
  /** Called by the build of steps alone; what follows by that of calls as well. */
  step(
    depth: number,
    programCounter: number,
    opcode: number,
    gas: bigint,
    stackHeight: number,
    stackTop: number,
    memorySize: number,
  ): void;
  enter(
    kind: number,
    from: number,
    to: number,
    value: number,
    gas: bigint,
    callerGas: bigint,
    input: number,
    inputLength: number,
  ): void;
  consoleCalled(input: number, inputLength: number): void;
  leave(status: number, gasUsed: bigint, output: number, outputLength: number): void;
  log(place: number, index: number): void;
  selfdestructed(from: number, to: number, balance: number): void;
}

/** The builds of the engine: `evm-calls` tells of calls and logs, `evm-steps` of every instruction as well. */
export type EvmBuild = 'evm' | 'evm-calls' | 'evm-steps';

const compiled = new Map<EvmBuild, WebAssembly.Module>();

/** The engine's module, compiled once a process and build. */
export function loadEvmModule(build: EvmBuild): WebAssembly.Module {
  const known = compiled.get(build);
  if (known !== undefined) return known;
  const file = new URL(`../../build/${build}.wasm`, import.meta.url);
  const loaded = new WebAssembly.Module(readFileSync(file));
  compiled.set(build, loaded);
  return loaded;
}

/** A new instance, with memory and tables of its own. */
export function instantiateEvm(module: WebAssembly.Module, imports: EvmImports): EvmModule {
  // Large from the start: when a memory grows, V8 takes it for new and collects all garbage at once.
  const memory = new WebAssembly.Memory({ initial: Math.ceil(ARENA / PAGE_BYTES) + 1 });
  const environment = { memory, abort: imports.fail };
  const instance = new WebAssembly.Instance(module, { host: { ...imports }, env: environment });
  return instance.exports as unknown as EvmModule; // the two interfaces above describe the same source
}
