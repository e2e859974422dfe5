import type { AccessedAccount, AccessedState } from '../../ledger/index.ts';
import { type Hexadecimal, quantity, toPrefixedHex } from '../../protocol/index.ts';

/** The change of a value: unchanged, added, removed or replaced. */
type ValueDifference =
  | '='
  | { readonly '+': Hexadecimal }
  | { readonly '-': Hexadecimal }
  | { readonly '*': { readonly from: Hexadecimal; readonly to: Hexadecimal } };

interface AccountDifference {
  readonly balance: ValueDifference;
  readonly code: ValueDifference;
  readonly nonce: ValueDifference;
  readonly storage: Readonly<Record<Hexadecimal, ValueDifference>>;
}

type Fate = 'born' | 'died' | 'stayed';

/** Maps the accounts that a transaction changed to Parity's form, by address. */
export function stateDifference(accessed: AccessedState): Readonly<Record<Hexadecimal, AccountDifference>> {
  const changed: Record<Hexadecimal, AccountDifference> = {};
  for (const account of accessed.accounts) {
    const difference = accountDifference(accessed, account);
    if (difference !== undefined) changed[toPrefixedHex(account.address)] = difference;
  }
  return changed;
}

function accountDifference(accessed: AccessedState, account: AccessedAccount): AccountDifference | undefined {
  const after = accessed.after(account);
  const { state } = account;
  if (state === undefined && after.state === undefined) return undefined;
  const fate: Fate = state === undefined ? 'born' : after.state === undefined ? 'died' : 'stayed';
  const balance = valueDifference(fate, quantity(state?.balance ?? 0n), quantity(after.state?.balance ?? 0n));
  const nonce = valueDifference(fate, quantity(state?.nonce ?? 0n), quantity(after.state?.nonce ?? 0n));
  const code = valueDifference(fate, toPrefixedHex(account.code), toPrefixedHex(after.code));
  const storage = storageDifference(accessed, account, fate);
  const isSame = [balance, nonce, code].every((value) => value === '=') && Object.keys(storage).length === 0;
  return isSame ? undefined : { balance, code, nonce, storage };
}

function storageDifference(accessed: AccessedState, account: AccessedAccount, fate: Fate) {
  const storage: Record<Hexadecimal, ValueDifference> = {};
  for (const { slot, value } of account.slots.values()) {
    const before = toPrefixedHex(value);
    const after = toPrefixedHex(accessed.slotAfter(account, slot));
    if (before !== after) storage[toPrefixedHex(slot)] = valueDifference(fate, before, after);
  }
  return storage;
}

function valueDifference(fate: Fate, from: Hexadecimal, to: Hexadecimal): ValueDifference {
  if (fate === 'born') return { '+': to };
  if (fate === 'died') return { '-': from };
  return from === to ? '=' : { '*': { from, to } };
}
