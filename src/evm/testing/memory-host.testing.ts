import {
  type Address,
  bytesToHex,
  type Hash,
  hexToBytes,
  keccak256,
  toAddress,
  toHash,
} from '../../protocol/index.ts';
import type { AccountState, EvmChange, Host } from '../index.ts';

export interface AccountSetup {
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  /** Values by slot. */
  readonly storage?: Readonly<Record<number, bigint>>;
}

/** A host with its state in maps, which counts its calls. */
export class MemoryHost implements Host {
  readonly accounts = new Map<string, AccountState>();
  readonly slots = new Map<string, Uint8Array>();
  readonly codes = new Map<string, Uint8Array>();
  /** Calls so far, by kind. */
  readonly asked = { account: 0, storage: 0, code: 0, blockHash: 0 };
  /** Every argument list of `createAddress`. */
  readonly createCalls: { creator: string; nonce: bigint; creation: number }[] = [];

  set(address: Address, { balance = 0n, nonce = 0n, code, storage = {} }: AccountSetup): void {
    const codeHash = code && keccak256(code);
    if (code && codeHash) this.codes.set(bytesToHex(codeHash), code);
    this.accounts.set(bytesToHex(address), { balance, nonce, codeHash });
    for (const [slot, value] of Object.entries(storage)) {
      this.slots.set(slotName(address, word(BigInt(slot))), word(value));
    }
  }

  account(address: Address): AccountState | undefined {
    this.asked.account++;
    return this.accounts.get(bytesToHex(address));
  }

  storage(address: Address, slot: Hash): Uint8Array | undefined {
    this.asked.storage++;
    return this.slots.get(slotName(address, slot));
  }

  mayHaveStorage(address: Address): boolean {
    return this.hasStorage(address);
  }

  hasStorage(address: Address): boolean {
    return [...this.slots.keys()].some((name) => name.startsWith(bytesToHex(address)));
  }

  code(codeHash: Hash): Uint8Array {
    this.asked.code++;
    return this.codes.get(bytesToHex(codeHash)) ?? new Uint8Array(0);
  }

  /** Every block has a hash that ends in its number. */
  blockHash(number: bigint): Hash | undefined {
    this.asked.blockHash++;
    return word((0xb10cn << 64n) | number);
  }

  /** Contracts get the addresses that `createdAddress` numbers. */
  createAddress(creator: Address, nonce: bigint, creation: number): Address {
    this.createCalls.push({ creator: bytesToHex(creator), nonce, creation });
    return createdAddress(creation);
  }

  /** Stores changes as a ledger does when it commits a block. */
  apply(changes: readonly EvmChange[]): void {
    for (const change of changes) {
      if (change.kind === 'code') this.codes.set(bytesToHex(change.codeHash), change.code);
      else if (change.kind === 'storage') this.#applySlot(change.address, change.slot, change.after);
      else if (change.kind === 'storageCleared') this.#clearStorage(change.address);
      else if (change.after) this.accounts.set(bytesToHex(change.address), change.after);
      else this.accounts.delete(bytesToHex(change.address));
    }
  }

  #applySlot(address: Address, slot: Hash, after: Uint8Array): void {
    if (after.every((byte) => byte === 0)) this.slots.delete(slotName(address, slot));
    else this.slots.set(slotName(address, slot), after);
  }

  #clearStorage(address: Address): void {
    for (const name of this.slots.keys()) {
      if (name.startsWith(bytesToHex(address))) this.slots.delete(name);
    }
  }
}

function slotName(address: Address, slot: Hash): string {
  return `${bytesToHex(address)}/${bytesToHex(slot)}`;
}

/** 32 bytes of a number, negative ones in two's complement. */
export function word(value: bigint): Hash {
  return toHash(hexToBytes(BigInt.asUintN(256, value).toString(16).padStart(64, '0')));
}

/** Returns the number of big-endian bytes. */
export function numberOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

/** Returns a number as an address. */
export function addressOf(value: bigint): Address {
  return toAddress(hexToBytes(value.toString(16).padStart(40, '0')));
}

/** Returns the address of the contract that was created after `creation` others. */
export function createdAddress(creation: number): Address {
  return addressOf(0xc0000000n + BigInt(creation));
}
