import type { Address, Hash } from '../../protocol/index.ts';
import { toHash } from '../../protocol/index.ts';
import { OUT_OF_GAS, PRECOMPILE_FAILURE } from '../assembly/halt.ts';
import * as layout from '../assembly/layout.ts';
import { EngineError } from '../errors.ts';
import { engineFailureOf } from '../halt-reason.ts';
import type { Hardfork } from '../hardfork.ts';
import { precompileAt } from '../precompiles/registry.ts';
import { runRemembering } from '../precompiles/remembered-runs.ts';
import type { Host } from '../types.ts';
import type { WasmMemory } from '../wasm-memory.ts';
import type { EvmImports, EvmModule } from '../wasm-module.ts';
import { writeAccount } from './account-entries.ts';
import type { ConsoleCalls } from './console-calls.ts';
import { createTracingImports, type TraceListener } from './tracing.ts';

/** The state that the imports share; the instance is there once they are called. */
export interface ImportContext {
  readonly host: Host;
  readonly hardfork: Hardfork;
  readonly listener: TraceListener | undefined;
  /** Undefined where nobody asks for calls of the console. */
  readonly console: ConsoleCalls | undefined;
  readonly module: EvmModule;
  readonly memory: WasmMemory;
  readonly blockNumber: bigint;
  /** Throws when the running execution is out of time; undefined where it has all the time it wants. */
  readonly checkTime: (() => void) | undefined;
}

/** The functions that the engine calls: they move data between its memory and the host. */
export function createImports(context: ImportContext): EvmImports {
  return {
    loadAccount: (account) => loadAccount(context, account >>> 0),
    loadSlot: (slot) => loadSlot(context, slot >>> 0),
    hasStorage: (account) => hasStorage(context, account >>> 0),
    loadCode: (account) => loadCode(context, account >>> 0),
    loadBlockHash: (distance, result) => loadBlockHash(context, distance >>> 0, result >>> 0),
    createAddress: (creator, creation, result) =>
      createAddress(context, creator >>> 0, creation, result >>> 0),
    runPrecompile: (number, input, length) => runPrecompile(context, number, input >>> 0, length >>> 0),
    fail(code) {
      throw new EngineError(engineFailureOf(code));
    },
    consoleCalled: (input, length) =>
      context.console?.note(context.memory.bytes.subarray(input >>> 0, (input >>> 0) + (length >>> 0))),
    ...createTracingImports(context),
  };
}

/** How many precompiled contracts a fork has at the addresses from 1 on. */
export function countPrecompiles(hardfork: Hardfork): number {
  let count = 0;
  while (precompileAt(count + 1, hardfork) !== undefined) count++;
  return count;
}

function loadAccount({ host, memory }: ImportContext, account: number): void {
  const state = host.account(memory.readAddress(account + layout.ACCOUNT_ADDRESS));
  if (state !== undefined) writeAccount(memory, account, state);
}

function loadSlot({ host, memory }: ImportContext, slot: number): void {
  const account = memory.readNumber(slot + layout.SLOT_ACCOUNT);
  const address = memory.readAddress(account + layout.ACCOUNT_ADDRESS);
  const key = toHash(memory.readWordBytes(slot + layout.SLOT_KEY));
  const value = host.storage(address, key);
  if (value !== undefined) memory.writeWordBytes(slot + layout.SLOT_VALUE, value);
}

function hasStorage({ host, memory }: ImportContext, account: number): number {
  return host.hasStorage(memory.readAddress(account + layout.ACCOUNT_ADDRESS)) ? 1 : 0;
}

function loadCode({ host, memory, module, checkTime }: ImportContext, account: number): number {
  checkTime?.();
  const code = host.code(memory.readHash(account + layout.ACCOUNT_CODE_HASH));
  const block = module.allocateCode(code.length);
  memory.write(memory.readNumber(block + layout.CODE_START), code);
  return block;
}

function loadBlockHash({ host, memory, blockNumber }: ImportContext, distance: number, result: number): void {
  const hash: Hash | undefined = host.blockHash(blockNumber - BigInt(distance));
  memory.writeWordBytes(result, hash ?? new Uint8Array(0));
}

function createAddress(
  { host, memory }: ImportContext,
  creator: number,
  creation: number,
  result: number,
): void {
  const creatorAddress: Address = memory.readAddress(creator + layout.ACCOUNT_ADDRESS);
  const nonce = memory.readLong(layout.EXCHANGE_NONCE);
  memory.writeWordBytes(result, host.createAddress(creatorAddress, nonce, creation));
}

function runPrecompile(
  { memory, hardfork, checkTime }: ImportContext,
  number: number,
  pointer: number,
  length: number,
): number {
  const precompile = precompileAt(number, hardfork);
  if (precompile === undefined) return -PRECOMPILE_FAILURE;
  const input = memory.bytes.subarray(pointer, pointer + length);
  const gas = memory.readLong(layout.EXCHANGE_GAS);
  const cost = precompile.gas(input);
  if (cost > gas) return -OUT_OF_GAS;
  checkTime?.();
  const output = runRemembering(precompile, input, cost, checkTime);
  if (output === undefined || output.length > layout.RETURN_DATA_BYTES) return -PRECOMPILE_FAILURE;
  memory.writeLong(layout.EXCHANGE_GAS, gas - cost);
  memory.write(layout.RETURN_DATA, output);
  return output.length;
}
