import {
  type AccessList,
  type Address,
  type AuthorizationList,
  recoverAuthority,
} from '../../protocol/index.ts';
import * as layout from '../assembly/layout.ts';
import { EngineError } from '../engine-error.ts';
import type { HaltReason } from '../halt-reason.ts';
import type { Execution, Message } from '../types.ts';
import type { EvmModule } from '../wasm-module.ts';
import { type WasmMemory, writeBlobs } from './engine-memory.ts';

/** Applies the authorizations that are valid on a chain, in their order (EIP-7702). */
export function applyAuthorizations(
  module: EvmModule,
  memory: WasmMemory,
  list: AuthorizationList,
  chainId: bigint | undefined,
): void {
  for (const authorization of list) {
    if (authorization.chainId !== 0n && authorization.chainId !== chainId) continue;
    const authority = recoverAuthority(authorization);
    if (authority === undefined) continue;
    memory.writeWordBytes(layout.EXCHANGE_KEY, authority);
    memory.writeWordBytes(layout.EXCHANGE_TARGET, authorization.address);
    module.authorize(layout.EXCHANGE_KEY, layout.EXCHANGE_TARGET, authorization.nonce);
  }
}

/** Makes the accounts and slots of an access list warm (EIP-2930). */
export function warmAccessList(module: EvmModule, memory: WasmMemory, accessList: AccessList): void {
  for (const { address, storageKeys } of accessList) {
    memory.writeWordBytes(layout.EXCHANGE_TARGET, address);
    module.warmAccount(layout.EXCHANGE_TARGET);
    for (const key of storageKeys) {
      memory.writeWordBytes(layout.EXCHANGE_KEY, key);
      module.warmStorage(layout.EXCHANGE_TARGET, layout.EXCHANGE_KEY);
    }
  }
}

/** Writes a message for `runTransaction`. @param gas its gas limit without the intrinsic gas */
export function writeMessage(
  module: EvmModule,
  memory: WasmMemory,
  message: Message,
  target: Address,
  gas: bigint,
): void {
  const pointer = module.inputPointer(message.data.length);
  memory.writeWordBytes(layout.EXCHANGE_CALLER, message.caller);
  memory.writeWordBytes(layout.EXCHANGE_TARGET, target);
  memory.writeWord(layout.EXCHANGE_VALUE, message.value);
  memory.writeLong(layout.EXCHANGE_GAS, gas);
  memory.writeWordBytes(layout.TRANSACTION_ORIGIN, message.caller);
  memory.writeWord(layout.TRANSACTION_GAS_PRICE, message.gasPrice);
  writeBlobs(memory, message.blobHashes);
  memory.write(pointer >>> 0, message.data);
}

/** Returns a check that throws after the deadline. */
export function timeCheck(deadline: Message['deadline']): (() => void) | undefined {
  if (deadline === undefined) return undefined;
  const end = typeof deadline === 'number' ? () => deadline : deadline;
  return () => {
    if (performance.now() > end()) throw new EngineError('outOfTime');
  };
}

/** Returns the outcome of a message that is rejected before it runs. */
export function rejected(halt: HaltReason): Execution {
  return {
    status: 'halt',
    halt,
    gasUsed: 0n,
    gasBeforeRefund: 0n,
    gasNeeded: 0n,
    output: new Uint8Array(0),
    logs: [],
    burned: 0n,
  };
}
