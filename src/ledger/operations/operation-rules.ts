import type { ConsoleInputs, Log } from '../../evm/index.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  type Operation,
  type OperationResult,
} from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';

/** Fee of a transfer, an account update and the registration of an EVM address, in native units. */
export const BASIC_FEE = 20n;
/** Fee of the creation of an account, in native units. */
export const ACCOUNT_CREATE_FEE = 100n;

export type OperationOf<Type extends Operation['type']> = Extract<Operation, { type: Type }>;

/** The checks and the effect of the operations of a type. */
export interface OperationRules<Body extends Operation> {
  /** The least fee that it may offer, in units of the core asset. */
  readonly leastFee: bigint;
  /** Checks everything that needs no state. Throws `RefusedError`, which names a field by the operation's path. */
  checkForm?(operation: Body, path: string): void;
  /** Applies it. Throws `RefusedError`; the caller then undoes the whole transaction. */
  apply(state: WorkingState, operation: Body): Outcome;
}

/** The outcome of an applied operation. A contract that failed is one; a refusal is a `RefusedError`. */
export interface Outcome {
  readonly status: 'success' | 'failure';
  readonly result: OperationResult;
  /** Native units charged to the payer: the gas used, or nothing for a test call. */
  readonly charge: bigint;
  readonly gasUsed: bigint;
  readonly contractAddress: Address | undefined;
  readonly logs: readonly Log[];
  /** Revert data of a failure, else empty. */
  readonly output: Uint8Array;
  /** Wei charged for an Ethereum transaction; `charge` has the units, rounded up. Absent: `charge` is exact. */
  readonly feeWei?: bigint | undefined;
  /** Balance that a self-destruct burned, in wei. */
  readonly burned: bigint;
  /** Console output of the code, if there was any and it was recorded. */
  readonly consoleCalls?: ConsoleInputs | undefined;
  /** True if its code has read the time of the block; else absent. */
  readonly readsTime?: boolean | undefined;
}

const NO_BYTES = new Uint8Array(0);

/** Returns the outcome of a native operation: a fixed fee, no logs. */
export function nativeOutcome(charge: bigint, result: OperationResult = { type: 'nothing' }): Outcome {
  return {
    status: 'success',
    result,
    charge,
    gasUsed: charge,
    contractAddress: undefined,
    logs: [],
    output: NO_BYTES,
    burned: 0n,
  };
}

/** Debits an account's balance. Throws `RefusedError` for insufficient funds. */
export function debitAccount(state: WorkingState, account: AccountId, amount: bigint): void {
  const address = accountAddress(account);
  if (state.debit(address, amount)) return;
  refuse({ code: 'insufficientFunds', payer: address, have: state.balanceOf(address), want: amount });
}

/** Throws `RefusedError` unless the account is registered. */
export function requireAccount(state: WorkingState, account: AccountId): void {
  if (state.native.account(account) === undefined) refuse({ code: 'unknownAccount', account });
}
