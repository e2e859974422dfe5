import type { TouchedAccount, TouchedState } from '../../ledger/index.ts';
import { bytesToHex } from '../../protocol/index.ts';
import { data, type Hexadecimal, quantity } from '../formatting.ts';

/** An account before or after a transaction. */
export interface PrestateAccount {
  balance?: Hexadecimal;
  nonce?: number;
  code?: Hexadecimal;
  codeHash?: Hexadecimal;
  storage?: Record<Hexadecimal, Hexadecimal>;
}

/** Accounts by address as they were before, or after, a transaction: the answer of `prestateTracer`. */
export type Prestate = Record<Hexadecimal, PrestateAccount>;

/** What is shown of each account as it was before a transaction. */
export interface PrestateOptions {
  readonly withCode: boolean;
  /** Whether addresses that had nothing are shown as well. */
  readonly includeEmpty: boolean;
}

/** What a transaction has touched, as it was before. */
export function prestateObject({ accounts }: TouchedState, options: PrestateOptions): Prestate {
  const shown = accounts.filter((account) => options.includeEmpty || !hasNothing(account));
  return Object.fromEntries(
    shown.map((account) => {
      return [data(account.address), withStorage(stateObject(account, options), allSlots(account))];
    }),
  );
}

function stateObject({ state, code }: Pick<TouchedAccount, 'state' | 'code'>, { withCode }: PrestateOptions) {
  const { balance = 0n, nonce = 0n, codeHash } = state ?? {};
  return {
    balance: quantity(balance),
    ...(nonce > 0n && { nonce: Number(nonce) }),
    ...(withCode && code.length > 0 && { code: data(code) }),
    ...(codeHash && { codeHash: data(codeHash) }),
  };
}

/** What a transaction has changed: as it was, and what is different since. */
export interface PrestateDifference {
  readonly pre: Prestate;
  readonly post: Prestate;
}

/** The differences that a transaction has made to what it touched. */
export function prestateDifference(touched: TouchedState, options: PrestateOptions): PrestateDifference {
  const pre: Prestate = {};
  const post: Prestate = {};
  for (const account of touched.accounts) {
    const name = data(account.address);
    const wasThere = !hasNothing(account);
    const before = stateObject(account, options);
    if (account.isDestroyed) {
      if (wasThere) pre[name] = withStorage(before, allSlots(account));
      continue;
    }
    const after = changedFields(account, touched.after(account), options);
    const slots = changedSlots(touched, account, 'after');
    if (after === undefined && !hasChangedSlots(touched, account)) continue;
    post[name] = withStorage(after ?? {}, slots);
    if (wasThere) pre[name] = withStorage(before, changedSlots(touched, account, 'before'));
  }
  return { pre, post };
}

/** Whether there was nothing at an address. */
function hasNothing({ state, code }: TouchedAccount): boolean {
  const { balance = 0n, nonce = 0n } = state ?? {};
  return balance === 0n && nonce === 0n && code.length === 0;
}

function changedFields(
  { state, code }: TouchedAccount,
  after: Pick<TouchedAccount, 'state' | 'code'>,
  { withCode }: PrestateOptions,
): PrestateAccount | undefined {
  const changed: PrestateAccount = {};
  const [balance, newBalance] = [state?.balance ?? 0n, after.state?.balance ?? 0n];
  if (newBalance !== balance) changed.balance = quantity(newBalance);
  const [nonce, newNonce] = [state?.nonce ?? 0n, after.state?.nonce ?? 0n];
  if (newNonce !== nonce) changed.nonce = Number(newNonce);
  if (bytesToHex(after.code) !== bytesToHex(code)) {
    if (withCode) changed.code = data(after.code);
    changed.codeHash = after.state?.codeHash ? data(after.state.codeHash) : NO_CODE_HASH;
  }
  return Object.keys(changed).length === 0 ? undefined : changed;
}

/** Keccak-256 of no bytes. */
const NO_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

function withStorage(account: PrestateAccount, slots: readonly (readonly [Hexadecimal, Hexadecimal])[]) {
  return slots.length === 0 ? account : { ...account, storage: Object.fromEntries(slots) };
}

function hasChangedSlots(touched: TouchedState, account: TouchedAccount): boolean {
  for (const { slot, value } of account.slots.values()) {
    if (data(touched.slotAfter(account, slot)) !== data(value)) return true;
  }
  return false;
}

/** The slots that were touched, as they were. */
function allSlots({ slots }: TouchedAccount) {
  return Array.from(slots.values(), ({ slot, value }) => [data(slot), data(value)] as const);
}

/** The slots that are different, as they were or as they are; zero is left out. */
function changedSlots(touched: TouchedState, account: TouchedAccount, when: 'before' | 'after') {
  const changed: (readonly [Hexadecimal, Hexadecimal])[] = [];
  for (const { slot, value } of account.slots.values()) {
    const now = touched.slotAfter(account, slot);
    if (data(now) === data(value)) continue;
    const shown = when === 'before' ? value : now;
    if (shown.some((byte) => byte !== 0)) changed.push([data(slot), data(shown)]);
  }
  return changed;
}
