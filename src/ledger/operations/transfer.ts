import { accountAddress } from '../../protocol/index.ts';
import type { WorkingState } from '../state/working-state.ts';
import { BASIC_FEE } from './fees.ts';
import type { OperationOf, OperationRules } from './operation-rules.ts';
import { debitAccount, nativeOutcome, type Outcome, requireAccount } from './outcome.ts';

/** Moves an amount of the core asset from one account to another. */
function applyTransfer(state: WorkingState, operation: OperationOf<'transfer'>): Outcome {
  requireAccount(state, operation.to);
  debitAccount(state, operation.from, operation.amount.amount + BASIC_FEE);
  state.credit(accountAddress(operation.to), operation.amount.amount);
  return nativeOutcome(BASIC_FEE);
}

export const transferRules: OperationRules<OperationOf<'transfer'>> = {
  leastFee: BASIC_FEE,
  apply: applyTransfer,
};
