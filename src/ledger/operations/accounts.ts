import {
  ACCOUNT_NAME_CHARACTERS_MAX,
  ACCOUNT_NAME_CHARACTERS_MIN,
  DELEGATE_SHARE_MAX,
} from '../../consensus.ts';
import {
  type AccountId,
  type AccountOptions,
  type Address,
  accountAddress,
  accountId,
  accountObject,
  coreAmount,
  type Operation,
  type PublicKey,
} from '../../protocol/index.ts';
import { checkAuthority } from '../authorities/authority.ts';
import { refuse } from '../errors/refusal.ts';
import type { NativeState } from '../state/native-state.ts';
import type { WorkingState } from '../state/working-state.ts';
import {
  ACCOUNT_CREATE_FEE,
  BASIC_FEE,
  debitAccount,
  nativeOutcome,
  type OperationOf,
  type OperationRules,
  type Outcome,
  requireAccount,
} from './operation-rules.ts';

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

  const id = nextAccount(state.native);
  state.native.setProperties({ ...state.native.properties, nextAccount: id + 1 });
  state.native.setAccount(id, { name, active, echorandKey, evmAddress, options });
  return nativeOutcome(ACCOUNT_CREATE_FEE, { type: 'object', id: accountObject(id) });
}

/** Returns the next identifier of an account, except those at whose address a test has made a contract. */
function nextAccount(native: NativeState): AccountId {
  for (let instance = native.properties.nextAccount; ; instance += 1) {
    const id = accountId(instance);
    if (native.contractId(accountAddress(id)) === undefined) return id;
  }
}

/** Throws `RefusedError` unless the delegate exists and its share is a share. */
function checkOptions(options: AccountOptions, state: WorkingState): void {
  requireAccount(state, options.delegatingAccount);
  if (options.delegateShare > DELEGATE_SHARE_MAX) {
    refuse({ code: 'delegateShareTooHigh', share: options.delegateShare, most: DELEGATE_SHARE_MAX });
  }
}

/** Throws `RefusedError` where another account has registered the EVM address. */
function checkEvmAddressFree(evmAddress: Address, state: WorkingState): void {
  const account = state.native.accountByEvmAddress(evmAddress);
  if (account !== undefined) refuse({ code: 'evmAddressTaken', evmAddress, account });
}

export const accountCreateRules: OperationRules<OperationOf<'accountCreate'>> = {
  leastFee: ACCOUNT_CREATE_FEE,
  apply: applyAccountCreate,
};

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

export const evmAddressRegisterRules: OperationRules<OperationOf<'evmAddressRegister'>> = {
  leastFee: BASIC_FEE,
  apply: applyEvmAddressRegister,
};

/** The initial fields of an account. */
export interface NewAccount {
  readonly name: string;
  /** The one key of the active authority. */
  readonly activeKey: PublicKey;
  readonly echorandKey: PublicKey;
  /** The EVM address that leads to the account; undefined for none. */
  readonly evmAddress: Address | undefined;
}

/**
 * Builds the operation that registers an account with one active key; its delegate is the registrar, without
 * a share.
 * @param registrar the account that pays
 * @param fee native units that may be charged at most
 */
export function accountCreateOf(account: NewAccount, registrar: AccountId, fee: bigint): Operation {
  const { name, activeKey, echorandKey, evmAddress } = account;
  return {
    type: 'accountCreate',
    fee: coreAmount(fee),
    registrar,
    name,
    active: { weightThreshold: 1, accountAuths: [], keyAuths: [[activeKey, 1]] },
    echorandKey,
    ...(evmAddress === undefined ? {} : { evmAddress }),
    options: { delegatingAccount: registrar, delegateShare: 0 },
  };
}
