import type { AccessList, Address, Brand, Hash } from '../protocol/index.ts';
import type { HaltReason } from './halt-reason.ts';

/** An account without its storage. */
export interface AccountState {
  /** In Wei. */
  readonly balance: bigint;
  /** 1 for a new contract, one more with every contract that it creates. */
  readonly nonce: bigint;
  /** Keccak-256 of the code; undefined without code. */
  readonly codeHash: Hash | undefined;
}

/** The source of the engine's state: called at the first touch of an entry, within an execution. */
export interface Host {
  account(address: Address): AccountState | undefined;
  /** 32 bytes; undefined for zero. */
  storage(address: Address, slot: Hash): Uint8Array | undefined;
  /** Tests whether any slot is not zero; called before a contract is created. */
  hasStorage(address: Address): boolean;
  /** Returns the code of an account that has such a code hash. */
  code(codeHash: Hash): Uint8Array;
  /** Called only for the 256 blocks before the running one. */
  blockHash(number: bigint): Hash | undefined;
  /**
   * The address of the contract that `creator` makes by CREATE, or by a message without `to`. `creation` is
   * how many contracts were created since the last settlement, those that were reverted left out.
   */
  createAddress(creator: Address, nonce: bigint, creation: number): Address;
}

/** The running block, as its code sees it. */
export interface BlockContext {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly coinbase: Address;
  /** PREVRANDAO, in every fork. */
  readonly randomness: Hash;
  readonly gasLimit: bigint;
  readonly chainId: bigint;
  readonly baseFee: bigint;
}

/** A transaction's call or creation. */
export interface Message {
  readonly caller: Address;
  /** Undefined for a creation, whose init code is the data. */
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  /** Limit of the gas, the intrinsic gas included. */
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly accessList?: AccessList | undefined;
  /** Address of the contract of a creation; absent: chosen by the host. */
  readonly newAddress?: Address | undefined;
  /** True to charge the caller gas times price before, and to refund unused gas; false for mere calls. */
  readonly payForGas: boolean;
  /**
   * When, by `performance.now()`, the execution is given up; for mere calls, never for what a block holds. It is
   * looked at where much time goes by for little gas: at precompiled contracts, within long ones, and at loading code.
   * A function gives one that may move on.
   */
  readonly deadline?: number | (() => number) | undefined;
}

/** An event log: its contract, up to four topics, and data. */
export interface Log {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** The outcome of a message. */
export interface Execution {
  readonly status: 'success' | 'revert' | 'halt';
  /** Set exactly with the status `halt`. */
  readonly halt?: HaltReason;
  /** The charge: the intrinsic gas included, refunds deducted (EIP-3529), at least the floor (EIP-7623). */
  readonly gasUsed: bigint;
  /** Gas used before refunds, at least the floor (EIP-7623). */
  readonly gasBeforeRefund: bigint;
  /**
   * Gas that it would have needed to take the same course, with that of the calls within it. Code that looks at its gas
   * may have another course with other gas, so whoever relies on the number tries it.
   */
  readonly gasNeeded: bigint;
  /** Return data, of a creation too, or revert data. */
  readonly output: Uint8Array;
  /** Address of the contract that a successful message without `to` created. */
  readonly contractAddress?: Address;
  readonly logs: readonly Log[];
  /** Balance that SELFDESTRUCT burned. */
  readonly burned: bigint;
  /** Calls of the console, where there were any and the engine notes them. */
  readonly consoleCalls?: ConsoleInputs;
}

/** Inputs of calls of the console, in their order, those of frames that were reverted as well. */
export interface ConsoleInputs {
  readonly inputs: readonly Uint8Array[];
  /** True if there were more than the bound. */
  readonly isCut: boolean;
}

/** A contract that was created since the last settlement. */
export interface Creation {
  readonly address: Address;
  /** True if it was destroyed since. */
  readonly destroyed: boolean;
}

/** A state for `Engine.revertTo`, void after the next `settle`, `discard` or `clear`. */
export type Checkpoint = Brand<number, 'Checkpoint'>;

/** A difference between the last settled state and the current one. */
export type EvmChange =
  | {
      readonly kind: 'account';
      readonly address: Address;
      readonly before: AccountState | undefined;
      readonly after: AccountState | undefined;
    }
  /** 32 bytes each, zero standing for an absent slot. */
  | {
      readonly kind: 'storage';
      readonly address: Address;
      readonly slot: Hash;
      readonly before: Uint8Array;
      readonly after: Uint8Array;
    }
  /**
   * All stored slots of the account go (self-destruction before Cancun). Its changes of kind `storage` come
   * after this one and count from empty storage.
   */
  | { readonly kind: 'storageCleared'; readonly address: Address }
  /** New code of an account, which another one may have had already. */
  | { readonly kind: 'code'; readonly codeHash: Hash; readonly code: Uint8Array };
