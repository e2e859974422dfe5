import type { AccessedAccount, AccessedState } from '../../ledger/index.ts';
import { bytesToHex, type Hexadecimal, quantity, toPrefixedHex, zeroData } from '../../protocol/index.ts';

interface PrestateAccount {
  balance?: Hexadecimal;
  nonce?: number;
  code?: Hexadecimal;
  codeHash?: Hexadecimal;
  storage?: Record<Hexadecimal, Hexadecimal>;
}

/** Accounts by address before, or after, a transaction: the result of `prestateTracer`. */
type Prestate = Record<Hexadecimal, PrestateAccount>;

interface PrestateOptions {
  readonly withCode: boolean;
  readonly includeEmpty: boolean;
}

/** Maps the accounts and slots that a transaction accessed to their values before it. */
export function prestateObject({ accounts }: AccessedState, options: PrestateOptions): Prestate {
  const shown = accounts.filter((account) => options.includeEmpty || !isEmpty(account));
  return Object.fromEntries(
    shown.map((account) => {
      return [toPrefixedHex(account.address), withStorage(stateObject(account, options), allSlots(account))];
    }),
  );
}

function stateObject(
  { state, code }: Pick<AccessedAccount, 'state' | 'code'>,
  { withCode }: PrestateOptions,
) {
  const { balance = 0n, nonce = 0n, codeHash } = state ?? {};
  return {
    balance: quantity(balance),
    ...(nonce > 0n && { nonce: Number(nonce) }),
    ...(withCode && code.length > 0 && { code: toPrefixedHex(code) }),
    ...(codeHash && { codeHash: toPrefixedHex(codeHash) }),
  };
}

/** Maps the changes of a transaction: accessed accounts before it, and their changed fields after it. */
export function prestateDifference(
  accessed: AccessedState,
  options: PrestateOptions,
): { readonly pre: Prestate; readonly post: Prestate } {
  const pre: Prestate = {};
  const post: Prestate = {};
  for (const account of accessed.accounts) {
    const name = toPrefixedHex(account.address);
    const existed = !isEmpty(account);
    const before = stateObject(account, options);
    if (account.isDestroyed) {
      if (existed) pre[name] = withStorage(before, allSlots(account));
      continue;
    }
    const after = changedFields(account, accessed.after(account), options);
    const slots = changedSlots(accessed, account);
    if (after === undefined && slots.length === 0) continue;
    post[name] = withStorage(after ?? {}, nonZero(slots.map(([slot, , after]) => [slot, after])));
    if (existed) pre[name] = withStorage(before, nonZero(slots.map(([slot, value]) => [slot, value])));
  }
  return { pre, post };
}

function isEmpty({ state, code }: AccessedAccount): boolean {
  const { balance = 0n, nonce = 0n } = state ?? {};
  return balance === 0n && nonce === 0n && code.length === 0;
}

function changedFields(
  { state, code }: AccessedAccount,
  after: Pick<AccessedAccount, 'state' | 'code'>,
  { withCode }: PrestateOptions,
): PrestateAccount | undefined {
  const changed: PrestateAccount = {};
  const balance = state?.balance ?? 0n;
  const newBalance = after.state?.balance ?? 0n;
  if (newBalance !== balance) changed.balance = quantity(newBalance);
  const nonce = state?.nonce ?? 0n;
  const newNonce = after.state?.nonce ?? 0n;
  if (newNonce !== nonce) changed.nonce = Number(newNonce);
  if (bytesToHex(after.code) !== bytesToHex(code)) {
    if (withCode) changed.code = toPrefixedHex(after.code);
    changed.codeHash = after.state?.codeHash ? toPrefixedHex(after.state.codeHash) : NO_CODE_HASH;
  }
  return Object.keys(changed).length === 0 ? undefined : changed;
}

type Slot = readonly [slot: Hexadecimal, value: Hexadecimal];

const ZERO_WORD = zeroData(32);
/** Keccak-256 of no bytes. */
const NO_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

function withStorage(account: PrestateAccount, slots: readonly Slot[]) {
  return slots.length === 0 ? account : { ...account, storage: Object.fromEntries(slots) };
}

function allSlots({ slots }: AccessedAccount) {
  return Array.from(
    slots.values(),
    ({ slot, value }) => [toPrefixedHex(slot), toPrefixedHex(value)] as const,
  );
}

/** Returns the changed slots, each with its values before and after. */
function changedSlots(accessed: AccessedState, account: AccessedAccount) {
  return Array.from(
    account.slots.values(),
    ({ slot, value }) =>
      [toPrefixedHex(slot), toPrefixedHex(value), toPrefixedHex(accessed.slotAfter(account, slot))] as const,
  ).filter(([, value, after]) => value !== after);
}

function nonZero(slots: readonly Slot[]): readonly Slot[] {
  return slots.filter(([, value]) => value !== ZERO_WORD);
}
