import type { Operation } from '../../protocol/index.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { Outcome } from './outcome.ts';

/** The operation of one type, or those of several. */
export type OperationOf<Type extends Operation['type']> = Extract<Operation, { type: Type }>;

/** The checks of the operations of a type, and how they are applied. */
export interface OperationRules<Body extends Operation> {
  /** The least fee that it may offer, in units of the core asset. */
  readonly leastFee: bigint;
  /** Checks what no state is needed for. Throws `RefusedError`, which names a field by the operation's path. */
  checkForm?(operation: Body, path: string): void;
  /** Applies it. Throws `RefusedError`; the caller then undoes the whole transaction. */
  apply(state: WorkingState, operation: Body): Outcome;
}
