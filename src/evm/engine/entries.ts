import type { Hash } from '../../protocol/index.ts';
import * as layout from '../assembly/layout.ts';
import type { AccountState, Log } from '../types.ts';
import type { WasmMemory } from '../wasm-memory.ts';

const TOPIC_BYTES = 32;

/** Reads the current state of an entry of the table of accounts. */
export function readAccount(memory: WasmMemory, account: number): AccountState | undefined {
  const flags = memory.readNumber(account + layout.ACCOUNT_FLAGS);
  if ((flags & layout.ACCOUNT_EXISTS) === 0) return undefined;
  const hasCode = (flags & layout.ACCOUNT_HAS_CODE) !== 0;
  return {
    balance: memory.readWord(account + layout.ACCOUNT_BALANCE),
    nonce: memory.readLong(account + layout.ACCOUNT_NONCE),
    codeHash: hasCode ? memory.readHash(account + layout.ACCOUNT_CODE_HASH) : undefined,
  };
}

/** Reads the state of an entry at the last settlement. */
export function readSettledAccount(memory: WasmMemory, account: number): AccountState | undefined {
  const flags = memory.readNumber(account + layout.ACCOUNT_SETTLED_FLAGS);
  if ((flags & layout.ACCOUNT_EXISTS) === 0) return undefined;
  const hasCode = (flags & layout.ACCOUNT_HAS_CODE) !== 0;
  return {
    balance: memory.readWord(account + layout.ACCOUNT_SETTLED_BALANCE),
    nonce: memory.readLong(account + layout.ACCOUNT_SETTLED_NONCE),
    codeHash: hasCode ? memory.readHash(account + layout.ACCOUNT_SETTLED_CODE_HASH) : undefined,
  };
}

/** Fills a new entry with the host's state. */
export function writeAccount(memory: WasmMemory, account: number, state: AccountState): void {
  const { balance, nonce, codeHash } = state;
  memory.writeWord(account + layout.ACCOUNT_BALANCE, balance);
  memory.writeLong(account + layout.ACCOUNT_NONCE, nonce);
  if (codeHash !== undefined) memory.write(account + layout.ACCOUNT_CODE_HASH, codeHash);
  const codeFlag = codeHash === undefined ? 0 : layout.ACCOUNT_HAS_CODE;
  memory.writeNumber(account + layout.ACCOUNT_FLAGS, layout.ACCOUNT_EXISTS | codeFlag);
}

/** Copies the code of a code block. */
export function readCode(memory: WasmMemory, block: number): Uint8Array {
  const start = memory.readNumber(block + layout.CODE_START);
  return memory.read(start, memory.readNumber(block + layout.CODE_LENGTH));
}

/** Copies so many logs out of the buffer, in their order. @param place address of the first */
export function readLogs(memory: WasmMemory, count: number, place: number = layout.LOGS): Log[] {
  const logs: Log[] = [];
  let pointer = place;
  for (let index = 0; index < count; index++) {
    const topicCount = memory.readNumber(pointer + layout.LOG_TOPIC_COUNT);
    const length = memory.readNumber(pointer + layout.LOG_DATA_LENGTH);
    const address = memory.readAddress(pointer + layout.LOG_ADDRESS);
    pointer += layout.LOG_HEADER_BYTES;
    const topics: Hash[] = [];
    for (let topic = 0; topic < topicCount; topic++, pointer += TOPIC_BYTES)
      topics.push(memory.readHash(pointer));
    logs.push({ address, topics, data: memory.read(pointer, length) });
    pointer += (length + 7) & ~7;
  }
  return logs;
}
