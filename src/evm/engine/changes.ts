import { bytesToHex, equalBytes, toHash } from '../../protocol/index.ts';
import * as layout from '../assembly/layout.ts';
import type { AccountState, EvmChange } from '../types.ts';
import type { WasmMemory } from '../wasm-memory.ts';
import type { EvmModule } from '../wasm-module.ts';
import { readAccount, readCode, readSettledAccount } from './entries.ts';

const WORD_BYTES = 32;
const ZERO_WORD = new Uint8Array(WORD_BYTES);

/** Returns the net differences between the last settled state and the current one. */
export function readChanges(module: EvmModule, memory: WasmMemory): EvmChange[] {
  // Each entry that the journal names may have changed.
  const accounts = new Set<number>();
  const slots = new Set<number>();
  const end = module.journalEnd.value;
  for (let record: number = layout.JOURNAL; record < end; record += layout.RECORD_BYTES) {
    const kind = memory.readNumber(record + layout.RECORD_KIND);
    const entry = memory.readNumber(record + layout.RECORD_ENTRY);
    if (kind === layout.RECORD_SLOT) slots.add(entry);
    else if (kind < layout.RECORD_SLOT) accounts.add(entry);
  }
  const changes: EvmChange[] = [];
  const codes = new Set<string>();
  for (const account of accounts) changes.push(...accountChanges(module, memory, account, codes));
  for (const slot of slots) {
    const change = slotChange(memory, slot);
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

function accountChanges(
  module: EvmModule,
  memory: WasmMemory,
  account: number,
  codes: Set<string>,
): EvmChange[] {
  const changes: EvmChange[] = [];
  const address = memory.readAddress(account + layout.ACCOUNT_ADDRESS);
  const before = readSettledAccount(memory, account);
  const after = readAccount(memory, account);
  if (!equalStates(before, after)) changes.push({ kind: 'account', address, before, after });
  if (isCleared(memory, account)) changes.push({ kind: 'storageCleared', address });
  const codeHash = after?.codeHash;
  if (codeHash === undefined || equalOptionalBytes(before?.codeHash, codeHash)) return changes;
  const name = bytesToHex(codeHash);
  if (!codes.has(name))
    changes.push({ kind: 'code', codeHash, code: readCode(memory, module.codeOf(account)) });
  codes.add(name);
  return changes;
}

/** Tests whether the account had a contract's storage at the last settlement and lost all of it since. */
function isCleared(memory: WasmMemory, account: number): boolean {
  const before = memory.readNumber(account + layout.ACCOUNT_SETTLED_FLAGS);
  const after = memory.readNumber(account + layout.ACCOUNT_FLAGS);
  const detached = layout.ACCOUNT_IS_DETACHED;
  return (before & layout.ACCOUNT_HAS_CODE) !== 0 && (before & detached) === 0 && (after & detached) !== 0;
}

function slotChange(memory: WasmMemory, slot: number): EvmChange | undefined {
  const account = memory.readNumber(slot + layout.SLOT_ACCOUNT);
  const after = memory.readWordBytes(slot + layout.SLOT_VALUE);
  const before = isCleared(memory, account) ? ZERO_WORD : memory.readWordBytes(slot + layout.SLOT_SETTLED);
  if (equalBytes(before, after)) return undefined;
  const address = memory.readAddress(account + layout.ACCOUNT_ADDRESS);
  const key = toHash(memory.readWordBytes(slot + layout.SLOT_KEY));
  return { kind: 'storage', address, slot: key, before, after };
}

function equalStates(a: AccountState | undefined, b: AccountState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.balance === b.balance && a.nonce === b.nonce && equalOptionalBytes(a.codeHash, b.codeHash);
}

function equalOptionalBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
