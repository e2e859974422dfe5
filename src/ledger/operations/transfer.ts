import { accountAddress, addressOwner } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import {
  BASIC_FEE,
  debitAccount,
  nativeOutcome,
  type OperationOf,
  type OperationRules,
  type Outcome,
  requireAccount,
} from './operation-rules.ts';

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

/**
 * Moves an amount of the core asset from an account to the address of a key, which may be new, or of an
 * account. Rejects the addresses of contracts, which must be called instead, and of unused identifiers.
 */
function applyTransferToAddress(state: WorkingState, operation: OperationOf<'transferToAddress'>): Outcome {
  const { from, to, amount } = operation;
  const owner = addressOwner(to);
  const isFree = owner.kind === 'account' && state.native.account(owner.id) === undefined;
  if (isFree || owner.kind === 'contract' || state.native.contractId(to) !== undefined) {
    refuse({ code: 'notPayable', address: to });
  }
  debitAccount(state, from, amount.amount + BASIC_FEE);
  state.credit(to, amount.amount);
  return nativeOutcome(BASIC_FEE);
}

export const transferToAddressRules: OperationRules<OperationOf<'transferToAddress'>> = {
  leastFee: BASIC_FEE,
  apply: applyTransferToAddress,
};
