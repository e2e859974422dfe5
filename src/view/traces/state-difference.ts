import type { TouchedAccount, TouchedState } from '../../ledger/index.ts';
import { bytesToHex } from '../../protocol/index.ts';
import { data, type Hexadecimal, quantity } from '../formatting.ts';

/** What became of a value: nothing, it came, it went, or it is another one. */
export type ValueDifference =
  | '='
  | { readonly '+': Hexadecimal }
  | { readonly '-': Hexadecimal }
  | { readonly '*': { readonly from: Hexadecimal; readonly to: Hexadecimal } };

/** What became of an account, in Parity's form. */
export interface AccountDifference {
  readonly balance: ValueDifference;
  readonly code: ValueDifference;
  readonly nonce: ValueDifference;
  readonly storage: Readonly<Record<Hexadecimal, ValueDifference>>;
}

/** What a transaction changed, in Parity's form: each value as it was and as it became. */
export type StateDifference = Readonly<Record<Hexadecimal, AccountDifference>>;

/** Whether an account came to be, ceased to be, or was there before and is there after. */
type Fate = 'born' | 'died' | 'stayed';

/** The accounts that a transaction has changed, in Parity's form. */
export function stateDifference(touched: TouchedState): StateDifference {
  const changed: Record<Hexadecimal, AccountDifference> = {};
  for (const account of touched.accounts) {
    const difference = accountDifference(touched, account);
    if (difference !== undefined) changed[data(account.address)] = difference;
  }
  return changed;
}

function accountDifference(touched: TouchedState, account: TouchedAccount): AccountDifference | undefined {
  const after = touched.after(account);
  const { state } = account;
  if (state === undefined && after.state === undefined) return undefined;
  const fate: Fate = state === undefined ? 'born' : after.state === undefined ? 'died' : 'stayed';
  const balance = valueDifference(fate, quantity(state?.balance ?? 0n), quantity(after.state?.balance ?? 0n));
  const nonce = valueDifference(fate, quantity(state?.nonce ?? 0n), quantity(after.state?.nonce ?? 0n));
  const code = valueDifference(fate, data(account.code), data(after.code));
  const storage = storageDifference(touched, account, fate);
  const isSame = [balance, nonce, code].every((value) => value === '=') && Object.keys(storage).length === 0;
  return isSame ? undefined : { balance, code, nonce, storage };
}

function storageDifference(
  touched: TouchedState,
  account: TouchedAccount,
  fate: Fate,
): Record<Hexadecimal, ValueDifference> {
  const storage: Record<Hexadecimal, ValueDifference> = {};
  for (const { slot, value } of account.slots.values()) {
    const now = touched.slotAfter(account, slot);
    if (bytesToHex(now) !== bytesToHex(value))
      storage[data(slot)] = valueDifference(fate, data(value), data(now));
  }
  return storage;
}

function valueDifference(fate: Fate, from: Hexadecimal, to: Hexadecimal): ValueDifference {
  if (fate === 'born') return { '+': to };
  if (fate === 'died') return { '-': from };
  return from === to ? '=' : { '*': { from, to } };
}
