import {
  ACCOUNT_NAME_CHARACTERS_MAX,
  ACCOUNT_NAME_CHARACTERS_MIN,
  DELEGATE_SHARE_MAX,
} from '../../consensus.ts';
import type { AccountOptions, Address } from '../../protocol/index.ts';
import { accountId, accountObject } from '../../protocol/index.ts';
import { checkAuthority } from '../authorities/authority.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { ACCOUNT_CREATE_FEE, type OperationOf, type OperationRules } from './operation-rules.ts';
import { debitAccount, nativeOutcome, type Outcome, requireAccount } from './outcome.ts';

const LABEL = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;

/** Returns true for a valid account name: labels joined by dots. */
export function isAccountName(name: string): boolean {
  if (name.length < ACCOUNT_NAME_CHARACTERS_MIN || name.length > ACCOUNT_NAME_CHARACTERS_MAX) return false;
  return name.split('.').every((label) => LABEL.test(label));
}

/** Registers an account under the next instance; the registrar pays. */
function applyAccountCreate(state: WorkingState, operation: OperationOf<'accountCreate'>): Outcome {
  const { name, active, echorandKey, evmAddress, options } = operation;
  if (!isAccountName(name)) refuse({ code: 'invalidName', name });
  if (state.native.accountByName(name) !== undefined) refuse({ code: 'nameTaken', name });
  checkAuthority(active, state.native);
  checkOptions(options, state);
  if (evmAddress !== undefined) checkEvmAddressFree(evmAddress, state);
  debitAccount(state, operation.registrar, ACCOUNT_CREATE_FEE);

  const properties = state.native.properties;
  const id = accountId(properties.nextAccount);
  state.native.setProperties({ ...properties, nextAccount: properties.nextAccount + 1 });
  state.native.setAccount(id, { name, active, echorandKey, evmAddress, options });
  return nativeOutcome(ACCOUNT_CREATE_FEE, { type: 'object', id: accountObject(id) });
}

/** Throws `RefusedError` unless the delegate exists and its share is a share. */
export function checkOptions(options: AccountOptions, state: WorkingState): void {
  requireAccount(state, options.delegatingAccount);
  if (options.delegateShare > DELEGATE_SHARE_MAX) {
    refuse({ code: 'delegateShareTooHigh', share: options.delegateShare, most: DELEGATE_SHARE_MAX });
  }
}

/** Throws `RefusedError` where another account has registered the EVM address. */
export function checkEvmAddressFree(evmAddress: Address, state: WorkingState): void {
  const account = state.native.accountByEvmAddress(evmAddress);
  if (account !== undefined) refuse({ code: 'evmAddressTaken', evmAddress, account });
}

export const accountCreateRules: OperationRules<OperationOf<'accountCreate'>> = {
  leastFee: ACCOUNT_CREATE_FEE,
  apply: applyAccountCreate,
};
