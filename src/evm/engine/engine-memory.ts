import {
  type Address,
  bytesToHex,
  equalBytes,
  type Hash,
  invariant,
  toAddress,
  toHash,
} from '../../protocol/index.ts';
import * as layout from '../assembly/layout.ts';
import type { AccountState, BaseFees, BlockContext, Creation, EvmChange, Log } from '../types.ts';
import type { EvmModule } from '../wasm-module.ts';

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const LIMB_BYTES = 8;
const LIMB_BITS = 64n;

/** Address and key of the slot that the engine loads: views of its memory, which the next look-up overwrites. */
interface LoadedSlot {
  readonly address: Address;
  readonly key: Hash;
}

function loadedSlotIn(memory: Uint8Array): LoadedSlot {
  const { LOADED_SLOT_ADDRESS: address, LOADED_SLOT_KEY: key } = layout;
  return {
    address: toAddress(memory.subarray(address, address + ADDRESS_BYTES)),
    key: toHash(memory.subarray(key, key + WORD_BYTES)),
  };
}

/** Bytes that V8 counts for an instance: about what one uses, and for one in place of another about what that used. */
const COUNTED_BYTES = 8 * 1024 * 1024;
const COUNTED_BYTES_REPLACED = 1024 * 1024 * 1024;

/** The engine's linear memory, which has its full size from the start. */
export class WasmMemory {
  /** Unused: V8 counts it in place of the engine's memory, and so collects engines that were dropped. */
  readonly counted: WebAssembly.Memory;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly loadedSlot: LoadedSlot;

  /** @param replaces true if another instance is dropped for the one of this memory */
  constructor(memory: WebAssembly.Memory, replaces: boolean) {
    const counted = replaces ? COUNTED_BYTES_REPLACED : COUNTED_BYTES;
    this.counted = new WebAssembly.Memory({ initial: counted / layout.PAGE_BYTES });
    this.bytes = new Uint8Array(memory.buffer);
    this.view = new DataView(memory.buffer);
    this.loadedSlot = loadedSlotIn(this.bytes);
  }

  readNumber(pointer: number): number {
    return this.view.getUint32(pointer, true);
  }

  writeNumber(pointer: number, value: number): void {
    this.view.setUint32(pointer, value, true);
  }

  readLong(pointer: number): bigint {
    return this.view.getBigUint64(pointer, true);
  }

  /** Writes a number of at most 64 bits. */
  writeLong(pointer: number, value: bigint): void {
    this.view.setBigUint64(pointer, value, true);
  }

  /** Returns a view of memory; pointer and length may be signed numbers. */
  window(pointer: number, length: number): Uint8Array {
    return this.bytes.subarray(pointer >>> 0, (pointer >>> 0) + (length >>> 0));
  }

  /** Returns a copy of memory. */
  read(pointer: number, length: number): Uint8Array {
    return this.bytes.slice(pointer, pointer + length);
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, pointer);
  }

  readWord(pointer: number): bigint {
    const view = this.view;
    let offset = WORD_BYTES - LIMB_BYTES;
    // Two numbers for each limb, since a bigint costs memory.
    while (
      offset > 0 &&
      view.getUint32(pointer + offset, true) === 0 &&
      view.getUint32(pointer + offset + 4, true) === 0
    ) {
      offset -= LIMB_BYTES;
    }
    let value = view.getBigUint64(pointer + offset, true);
    for (offset -= LIMB_BYTES; offset >= 0; offset -= LIMB_BYTES) {
      value = (value << LIMB_BITS) | view.getBigUint64(pointer + offset, true);
    }
    return value;
  }

  /** Writes a number as a word, modulo 2^256. */
  writeWord(pointer: number, value: bigint): void {
    const view = this.view;
    let offset = 0;
    for (let rest = value; rest !== 0n && offset < WORD_BYTES; rest >>= LIMB_BITS, offset += 8) {
      view.setBigUint64(pointer + offset, rest, true);
    }
    for (; offset < WORD_BYTES; offset += 4) view.setUint32(pointer + offset, 0, true);
  }

  /** Reads a word as 32 bytes, the most significant one first. */
  readWordBytes(pointer: number): Uint8Array {
    return this.read(pointer, WORD_BYTES).reverse();
  }

  /** Writes up to 32 bytes, the most significant one first, as a word. */
  writeWordBytes(pointer: number, bytes: Uint8Array): void {
    const view = this.view;
    let next = bytes.length;
    for (let offset = 0; offset < WORD_BYTES; offset += 4) {
      let part = 0;
      for (let shift = 0; shift < 32 && next > 0; shift += 8) {
        part |= (bytes[--next] as number) << shift; // 0 <= next < bytes.length
      }
      view.setUint32(pointer + offset, part, true);
    }
  }

  /** Reads an address, the lower 20 bytes of a word. */
  readAddress(pointer: number): Address {
    return toAddress(this.read(pointer, ADDRESS_BYTES).reverse());
  }

  /** Reads 32 bytes in memory order, such as a code hash. */
  readHash(pointer: number): Hash {
    return toHash(this.read(pointer, WORD_BYTES));
  }
}

const TOPIC_BYTES = 32;

/** Reads the current state of an account; undefined if it does not exist. */
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

/** Reads the state of an account at the last settlement. */
function readSettledAccount(memory: WasmMemory, account: number): AccountState | undefined {
  const flags = memory.readNumber(account + layout.ACCOUNT_SETTLED_FLAGS);
  if ((flags & layout.ACCOUNT_EXISTS) === 0) return undefined;
  const hasCode = (flags & layout.ACCOUNT_HAS_CODE) !== 0;
  return {
    balance: memory.readWord(account + layout.ACCOUNT_SETTLED_BALANCE),
    nonce: memory.readLong(account + layout.ACCOUNT_SETTLED_NONCE),
    codeHash: hasCode ? memory.readHash(account + layout.ACCOUNT_SETTLED_CODE_HASH) : undefined,
  };
}

/** Writes the block that code sees. */
export function writeBlock(memory: WasmMemory, block: BlockContext, fees: BaseFees = block): void {
  memory.writeWord(layout.BLOCK_NUMBER, block.number);
  memory.writeWord(layout.BLOCK_TIMESTAMP, block.timestamp);
  memory.writeWordBytes(layout.BLOCK_COINBASE, block.coinbase);
  memory.writeWordBytes(layout.BLOCK_RANDOMNESS, block.randomness);
  memory.writeWord(layout.BLOCK_GAS_LIMIT, block.gasLimit);
  memory.writeWord(layout.CHAIN_ID, block.chainId);
  memory.writeWord(layout.BLOCK_BASE_FEE, fees.baseFee);
  memory.writeWord(layout.BLOCK_BLOB_BASE_FEE, fees.blobBaseFee);
}

/** Writes the host's state to a new entry. */
export function writeAccount(memory: WasmMemory, account: number, state: AccountState): void {
  const { balance, nonce, codeHash } = state;
  memory.writeWord(account + layout.ACCOUNT_BALANCE, balance);
  memory.writeLong(account + layout.ACCOUNT_NONCE, nonce);
  if (codeHash !== undefined) memory.write(account + layout.ACCOUNT_CODE_HASH, codeHash);
  const codeFlag = codeHash === undefined ? 0 : layout.ACCOUNT_HAS_CODE;
  memory.writeNumber(account + layout.ACCOUNT_FLAGS, layout.ACCOUNT_EXISTS | codeFlag);
}

/** Writes the versioned hashes of the blobs of a message. */
export function writeBlobs(memory: WasmMemory, hashes: readonly Hash[] = []): void {
  invariant(
    hashes.length <= layout.TRANSACTION_BLOBS_CAPACITY,
    'a message has no more blobs than the engine holds',
  );
  memory.writeNumber(layout.TRANSACTION_BLOBS, hashes.length);
  hashes.forEach((hash, index) => {
    memory.writeWordBytes(layout.TRANSACTION_BLOB_HASHES + index * WORD_BYTES, hash);
  });
}

/** Returns a copy of the code of a code block. */
export function readCode(memory: WasmMemory, block: number): Uint8Array {
  const start = memory.readNumber(block + layout.CODE_START);
  return memory.read(start, memory.readNumber(block + layout.CODE_LENGTH));
}

/** Reads `count` consecutive logs of the buffer. @param start address of the first */
export function readLogs(memory: WasmMemory, count: number, start: number = layout.LOGS): Log[] {
  const logs: Log[] = [];
  let pointer = start;
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

const ZERO_WORD = new Uint8Array(WORD_BYTES);

/** Returns the net differences between the last settled state and the current one. */
export function readChanges(module: EvmModule, memory: WasmMemory): EvmChange[] {
  // Only entries in the journal may have changed.
  const accounts = new Set<number>();
  let slots: Set<number> | undefined;
  const end = module.journalEnd.value;
  for (let record: number = layout.JOURNAL; record < end; record += layout.RECORD_BYTES) {
    const kind = memory.readNumber(record + layout.RECORD_KIND);
    const entry = memory.readNumber(record + layout.RECORD_ENTRY);
    if (kind === layout.RECORD_SLOT) {
      slots ??= new Set();
      slots.add(entry);
    } else if (kind < layout.RECORD_SLOT) accounts.add(entry);
  }
  const changes: EvmChange[] = [];
  const codes = new Set<string>();
  for (const account of accounts) addAccountChanges(changes, module, memory, account, codes);
  for (const slot of slots ?? []) {
    const change = slotChange(memory, slot);
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

function addAccountChanges(
  changes: EvmChange[],
  module: EvmModule,
  memory: WasmMemory,
  account: number,
  codes: Set<string>,
): void {
  const address = memory.readAddress(account + layout.ACCOUNT_ADDRESS);
  const before = readSettledAccount(memory, account);
  const after = readAccount(memory, account);
  if (!equalStates(before, after)) changes.push({ kind: 'account', address, before, after });
  if (isCleared(memory, account)) changes.push({ kind: 'storageCleared', address });
  const codeHash = after?.codeHash;
  if (codeHash === undefined || equalOptionalBytes(before?.codeHash, codeHash)) return;
  const name = bytesToHex(codeHash);
  if (!codes.has(name))
    changes.push({ kind: 'code', codeHash, code: readCode(memory, module.codeOf(account)) });
  codes.add(name);
}

/** True if an account had a contract's storage at the last settlement and lost all of it since. */
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

const NO_CREATIONS: readonly Creation[] = [];

/** Reads the created contracts. */
export function readCreations(memory: WasmMemory, count: number): readonly Creation[] {
  if (count === 0) return NO_CREATIONS;
  return Array.from({ length: count }, (_, index) => {
    const creation = layout.CREATIONS + index * layout.CREATION_BYTES;
    const account = memory.readNumber(creation + layout.CREATION_ACCOUNT);
    return {
      address: memory.readAddress(account + layout.ACCOUNT_ADDRESS),
      destroyed: memory.readNumber(creation + layout.CREATION_IS_DESTROYED) !== 0,
    };
  });
}

/** Reads the keys of all slots of an account entry, in the order of their first access. */
export function readSlots(memory: WasmMemory, account: number): Hash[] {
  const slots: Hash[] = [];
  let slot = memory.readNumber(account + layout.ACCOUNT_SLOTS);
  for (; slot !== 0; slot = memory.readNumber(slot + layout.SLOT_NEXT)) {
    slots.push(toHash(memory.readWordBytes(slot + layout.SLOT_KEY)));
  }
  return slots.reverse();
}
