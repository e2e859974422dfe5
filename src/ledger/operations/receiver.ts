import type { AccountId, Address, ContractId } from '../../protocol/index.ts';
import { accountAddress, addressOwner } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { NativeState } from '../state/native-state.ts';
import type { WorkingState } from '../state/working-state.ts';

/** The receiver at an address: an account, a contract, or the account of a key, which any address may be. */
export type Receiver =
  | { readonly kind: 'key'; readonly address: Address }
  | { readonly kind: 'account'; readonly address: Address; readonly id: AccountId }
  | { readonly kind: 'contract'; readonly address: Address; readonly id: ContractId };

/** Classifies the receiver at an address. Throws `RefusedError` if there is none. */
export function receiverAt(state: WorkingState, address: Address): Receiver {
  const contract = state.native.contractId(address);
  if (contract !== undefined) return { kind: 'contract', address, id: contract };
  const owner = addressOwner(address);
  if (owner.kind === 'account' && state.native.account(owner.id) !== undefined) {
    return { kind: 'account', address, id: owner.id };
  }
  const registered = state.native.accountByEvmAddress(address);
  const hasKeys = state.rules.hasStandardAddresses && owner.kind === 'other';
  if (hasKeys && registered === undefined) return { kind: 'key', address };
  return refuse({
    code: 'unknownReceiver',
    address,
    accountAddress: registered === undefined ? undefined : accountAddress(registered),
  });
}

/** Rejects the registered EVM address of an account as a receiver, and names the account. Throws `RefusedError`. */
export function refuseEvmAddress(state: WorkingState, address: Address): void {
  const account = state.native.accountByEvmAddress(address);
  if (account === undefined) return;
  refuse({ code: 'senderNotAccount', address, accountAddress: accountAddress(account) });
}

/** Throws `RefusedError` for an address that is only the registered EVM address of an account. */
export function requireNotEvmAddress(native: NativeState, address: Address): void {
  const account = native.accountByEvmAddress(address);
  if (account === undefined || native.contractId(address) !== undefined) return;
  refuse({ code: 'referenceGiven', address, accountAddress: accountAddress(account) });
}
