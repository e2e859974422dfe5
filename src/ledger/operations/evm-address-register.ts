import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { checkEvmAddressFree } from './account-create.ts';
import { BASIC_FEE } from './fees.ts';
import type { OperationOf, OperationRules } from './operation-rules.ts';
import { debitAccount, nativeOutcome, type Outcome } from './outcome.ts';

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
