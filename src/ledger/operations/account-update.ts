import { checkAuthority } from '../authorities/authority.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { checkEvmAddressFree, checkOptions } from './account-create.ts';
import { BASIC_FEE, type OperationOf, type OperationRules } from './operation-rules.ts';
import { debitAccount, nativeOutcome, type Outcome } from './outcome.ts';

/** Replaces an account's active authority, consensus key or options. */
function applyAccountUpdate(state: WorkingState, operation: OperationOf<'accountUpdate'>): Outcome {
  const { account: id, active, echorandKey, newOptions } = operation;
  const account = state.native.account(id);
  if (account === undefined) refuse({ code: 'unknownAccount', account: id });
  if (active === undefined && echorandKey === undefined && newOptions === undefined) {
    refuse({ code: 'nothingToUpdate' });
  }
  if (active !== undefined) checkAuthority(active, state.native);
  if (newOptions !== undefined) checkOptions(newOptions, state);
  debitAccount(state, id, BASIC_FEE);
  state.native.setAccount(id, {
    ...account,
    active: active ?? account.active,
    echorandKey: echorandKey ?? account.echorandKey,
    options: newOptions ?? account.options,
  });
  return nativeOutcome(BASIC_FEE);
}

export const accountUpdateRules: OperationRules<OperationOf<'accountUpdate'>> = {
  leastFee: BASIC_FEE,
  apply: applyAccountUpdate,
};

/** Registers the one EVM address of an account that has none yet. */
function applyEvmAddressRegister(state: WorkingState, operation: OperationOf<'evmAddressRegister'>): Outcome {
  const { owner, evmAddress } = operation;
  const account = state.native.account(owner);
  if (account === undefined) refuse({ code: 'unknownAccount', account: owner });
  if (account.evmAddress !== undefined) {
    refuse({ code: 'evmAddressSet', account: owner, evmAddress: account.evmAddress });
  }
  checkEvmAddressFree(evmAddress, state);
  debitAccount(state, owner, BASIC_FEE);
  state.native.setAccount(owner, { ...account, evmAddress });
  return nativeOutcome(BASIC_FEE);
}

/** The rules of registrations of EVM addresses. */
export const evmAddressRegisterRules: OperationRules<OperationOf<'evmAddressRegister'>> = {
  leastFee: BASIC_FEE,
  apply: applyEvmAddressRegister,
};
