import type { AccessList, Address, AuthorizationList, Brand, Hash } from '../protocol/index.ts';
import type { HaltReason } from './halt-reason.ts';
import type { MessageGas } from './hardfork.ts';

/** An account, except its storage. */
export interface AccountState {
  /** In wei. */
  readonly balance: bigint;
  /** 1 for a new contract, plus one for every contract that it creates. */
  readonly nonce: bigint;
  /** Keccak-256 of the code; undefined without code. */
  readonly codeHash: Hash | undefined;
}

/** The source of the engine's state. The engine calls it at the first access to an entry, within an execution. */
export interface Host {
  account(address: Address): AccountState | undefined;
  /** Returns at most 32 bytes; undefined for zero. The next call overwrites the parameters. */
  storage(address: Address, slot: Hash): Uint8Array | undefined;
  /**
   * False if no slot is set, so that the engine need not read any more. Called once for an account, after a slot that
   * is not set; valid as long as that.
   */
  mayHaveStorage(address: Address): boolean;
  /** True if any slot is not zero; called before a contract is created. */
  hasStorage(address: Address): boolean;
  /** Returns the code with a code hash. */
  code(codeHash: Hash): Uint8Array;
  /** Called only for the 256 blocks before the running one. */
  blockHash(number: bigint): Hash | undefined;
  /**
   * Returns the address of the contract that `creator` creates by CREATE, or by a message without `to`. `creation` is
   * the number of contracts created since the last settlement, without reverted ones.
   */
  createAddress(creator: Address, nonce: bigint, creation: number): Address;
  /**
   * Throws if the host has returned guesses since the last call, for entries that it does not have yet. The engine
   * calls it after each run, so that a run with guesses finds further missing entries; it is then cleared. Absent: the
   * host has all entries.
   *
   * @param message that was run; absent: only the state was read
   */
  readonly requireComplete?: ((message?: Message) => void) | undefined;
}

/** Prices of a block, in wei. */
export interface BaseFees {
  readonly baseFee: bigint;
  /** BLOBBASEFEE (EIP-7516): 1 at least. */
  readonly blobBaseFee: bigint;
}

/** The running block, as code sees it. */
export interface BlockContext extends BaseFees {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly coinbase: Address;
  /** PREVRANDAO, in every hard fork. */
  readonly randomness: Hash;
  readonly gasLimit: bigint;
  readonly chainId: bigint;
}

/** The call or creation of a transaction. */
export interface Message {
  readonly caller: Address;
  /** Undefined for a creation; its init code is the data. */
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  /** Gas limit, which includes the intrinsic gas. */
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly accessList?: AccessList | undefined;
  /**
   * Authorizations to apply before the call, after the caller's nonce was raised (EIP-7702). They stay if the call
   * fails.
   */
  readonly authorizationList?: AuthorizationList | undefined;
  /** Results of BLOBHASH, at most `TRANSACTION_BLOBS_CAPACITY`; absent: none. */
  readonly blobHashes?: readonly Hash[] | undefined;
  /** Address of the created contract; absent: the host determines it. */
  readonly newAddress?: Address | undefined;
  /** True to charge the caller for gas in advance, and to return unused gas; false for calls without a transaction. */
  readonly payForGas: boolean;
  /** Result of `messageGas`; absent: the engine computes it. */
  readonly gasBounds?: MessageGas | undefined;
  /**
   * Time, by `performance.now()`, at which the execution is aborted; for calls, never for transactions of a block. The
   * engine checks it where little gas takes much time: at precompiled contracts, within long ones, and when it loads
   * code. A function returns a deadline that may move.
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
  /** Set only with the status `halt`. */
  readonly halt?: HaltReason;
  /** Charged gas: with the intrinsic gas, after refunds (EIP-3529), at least the floor (EIP-7623). */
  readonly gasUsed: bigint;
  /** Gas used before refunds, at least the floor (EIP-7623). */
  readonly gasBeforeRefund: bigint;
  /**
   * Gas limit with which the execution, with its inner calls, would have had the same course. Code that reads its gas
   * may behave differently, so a caller that relies on this value must try it.
   */
  readonly gasNeeded: bigint;
  /** Return data, also of a creation, or revert data. */
  readonly output: Uint8Array;
  /** Address of the contract that a successful message without `to` created. */
  readonly contractAddress?: Address;
  readonly logs: readonly Log[];
  /** Balance that SELFDESTRUCT burned. */
  readonly burned: bigint;
  /** Calls of the console, if there were any and the engine records them. */
  readonly consoleCalls?: ConsoleInputs;
  /** True if code has read the time of the block; else absent. */
  readonly readsTime?: boolean;
}

/** Inputs of calls of the console, in order, including those of reverted frames. */
export interface ConsoleInputs {
  readonly inputs: readonly Uint8Array[];
  /** True if later calls beyond the maximum are missing. */
  readonly isCut: boolean;
}

/** A contract created since the last settlement. */
export interface Creation {
  readonly address: Address;
  /** True if it was destroyed after that. */
  readonly destroyed: boolean;
}

/** A state for `Engine.revertTo`, valid until the next `settle`, `discard` or `clear`. */
export type Checkpoint = Brand<number, 'Checkpoint'>;

/** A difference between the last settled state and the current one. */
export type EvmChange =
  | {
      readonly kind: 'account';
      readonly address: Address;
      readonly before: AccountState | undefined;
      readonly after: AccountState | undefined;
    }
  /** Values of 32 bytes; zero for an absent slot. */
  | {
      readonly kind: 'storage';
      readonly address: Address;
      readonly slot: Hash;
      readonly before: Uint8Array;
      readonly after: Uint8Array;
    }
  /**
   * Deletion of all stored slots of the account (self-destruction before Cancun). Its changes of kind `storage` follow
   * this one and are relative to empty storage.
   */
  | { readonly kind: 'storageCleared'; readonly address: Address }
  /** New code of an account; another account may have the same code. */
  | { readonly kind: 'code'; readonly codeHash: Hash; readonly code: Uint8Array };
