import type { Operation } from '../../protocol/index.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { Outcome } from './outcome.ts';

/** Fee of a transfer, an account update and the registration of an EVM address, in native units. */
export const BASIC_FEE = 20n;
/** Fee of the creation of an account, in native units. */
export const ACCOUNT_CREATE_FEE = 100n;

/** The operations of a type, or of several. */
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
