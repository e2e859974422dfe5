import { bytesToHex } from '../../protocol/index.ts';
import { OUT_OF_GAS, PRECOMPILE_FAILURE } from '../assembly/halt.ts';
import * as layout from '../assembly/layout.ts';
import { EngineError, engineFailureOf } from '../engine-error.ts';
import type { Hardfork } from '../hardfork.ts';
import { runCached } from '../precompiles/cached-runs.ts';
import { type PrecompileNumbers, precompileAt } from '../precompiles/registry.ts';
import type { Host } from '../types.ts';
import type { EvmImports } from '../wasm-module.ts';
import type { ConsoleCalls } from './console-calls.ts';
import { writeAccount } from './engine-memory.ts';
import { createTracingImports, type TracingContext } from './tracing.ts';

/** The state that the imports share; the instance exists when they are called. */
export interface ImportContext extends TracingContext {
  readonly host: Host;
  readonly hardfork: Hardfork;
  /** Undefined if calls of the console are not recorded. */
  readonly console: ConsoleCalls | undefined;
  readonly blockNumber: bigint;
  /** Undefined: those of the hard fork. */
  readonly precompiles: PrecompileNumbers | undefined;
  /** Throws when the running execution is out of time; undefined without a deadline. */
  readonly checkTime: (() => void) | undefined;
}

/** Returns the imports of the engine. They receive pointers as signed numbers. */
export function createImports(context: ImportContext): EvmImports {
  const { host } = context;
  return {
    loadAccount(account: number): void {
      const { memory } = context;
      const state = host.account(memory.readAddress((account >>> 0) + layout.ACCOUNT_ADDRESS));
      if (state !== undefined) writeAccount(memory, account >>> 0, state);
    },
    loadSlot(): number {
      const { memory } = context;
      const { address, key } = memory.loadedSlot;
      const value = host.storage(address, key);
      if (value === undefined) return 0;
      memory.bytes.set(value, layout.LOADED_SLOT_VALUE + 32 - value.length);
      return 1;
    },
    mayHaveStorage: (account: number): number =>
      Number(host.mayHaveStorage(context.memory.readAddress((account >>> 0) + layout.ACCOUNT_ADDRESS))),
    hasStorage: (account: number): number =>
      Number(host.hasStorage(context.memory.readAddress((account >>> 0) + layout.ACCOUNT_ADDRESS))),
    loadCode(account: number): number {
      const { memory, module } = context;
      context.checkTime?.();
      const code = host.code(memory.readHash((account >>> 0) + layout.ACCOUNT_CODE_HASH));
      const block = module.allocateCode(code.length);
      memory.write(memory.readNumber(block + layout.CODE_START), code);
      return block;
    },
    loadBlockHash(distance: number, result: number): void {
      const hash = host.blockHash(context.blockNumber - BigInt(distance >>> 0));
      context.memory.writeWordBytes(result >>> 0, hash ?? new Uint8Array(0));
    },
    createAddress(creator: number, creation: number, result: number): void {
      const { memory } = context;
      const address = memory.readAddress((creator >>> 0) + layout.ACCOUNT_ADDRESS);
      const nonce = memory.readLong(layout.EXCHANGE_NONCE);
      memory.writeWordBytes(result >>> 0, host.createAddress(address, nonce, creation));
    },
    overriddenPrecompile: (address: number): number =>
      context.precompiles?.get(bytesToHex(context.memory.readAddress(address >>> 0))) ?? 0,
    runPrecompile: (number: number, input: number, length: number): number =>
      runPrecompile(context, number, context.memory.window(input, length)),
    fail(code: number): void {
      throw new EngineError(engineFailureOf(code));
    },
    consoleCalled: (input: number, length: number): void =>
      context.console?.record(context.memory.window(input, length)),
    ...createTracingImports(context),
  };
}

function runPrecompile(
  { memory, hardfork, checkTime }: ImportContext,
  number: number,
  input: Uint8Array,
): number {
  const precompile = precompileAt(number, hardfork);
  if (precompile === undefined) return -PRECOMPILE_FAILURE;
  const gas = memory.readLong(layout.EXCHANGE_GAS);
  const cost = precompile.gas(input);
  if (cost > gas) return -OUT_OF_GAS;
  checkTime?.();
  const output = runCached(precompile, input, cost, checkTime);
  if (output === undefined || output.length > layout.RETURN_DATA_BYTES) return -PRECOMPILE_FAILURE;
  memory.writeLong(layout.EXCHANGE_GAS, gas - cost);
  memory.write(layout.RETURN_DATA, output);
  return output.length;
}

/** Counts the precompiled contracts of a hard fork at consecutive addresses from 1. */
export function countPrecompiles(hardfork: Hardfork): number {
  let count = 0;
  while (precompileAt(count + 1, hardfork) !== undefined) count++;
  return count;
}
