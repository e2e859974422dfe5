import { UNLOCK_SECONDS_MAX } from '../limits.ts';
import { WalletError } from './errors.ts';

/** Seconds that an account is unlocked for when the caller names no duration. */
const UNLOCK_SECONDS_DEFAULT = 300;

/**
 * Until when an account is unlocked: a time of the wallet's clock in milliseconds, `Infinity` for "until it is locked",
 * and `undefined` for a locked account.
 */
export type UnlockedUntil = number | undefined;

/** Tells whether a lock is open at a time; it closes by itself at the end of its duration. */
export function isUnlocked(until: UnlockedUntil, now: number): boolean {
  return until !== undefined && now < until;
}

/**
 * Computes until when an account is unlocked by `personal_unlockAccount`.
 *
 * A duration that the caller names counts from now, whatever was before; 0 means until the account is locked. The
 * default duration never shortens the time that an account is unlocked for already.
 *
 * @param durationSeconds a whole number from 0 to {@link UNLOCK_SECONDS_MAX}, or undefined for the default
 * @throws WalletError `INVALID_DURATION`
 */
export function unlockUntil(before: UnlockedUntil, now: number, durationSeconds: number | undefined): number {
  if (durationSeconds === undefined) return Math.max(before ?? 0, now + UNLOCK_SECONDS_DEFAULT * 1_000);
  if (!Number.isInteger(durationSeconds) || durationSeconds < 0 || durationSeconds > UNLOCK_SECONDS_MAX) {
    throw new WalletError(
      'INVALID_DURATION',
      `unlock duration ${durationSeconds}: expected whole seconds from 0 to ${UNLOCK_SECONDS_MAX}`,
    );
  }
  return durationSeconds === 0 ? Number.POSITIVE_INFINITY : now + durationSeconds * 1_000;
}

/** An account with a lock: those that were created start locked, the others unlocked until they are locked. */
interface LockedAccount {
  readonly created: boolean;
  unlockedUntil: UnlockedUntil;
}

/**
 * The accounts whose locks are not as at the start, by the hex of their addresses: milliseconds that each stays
 * unlocked, `null` for until it is locked, 0 for a locked one.
 */
export type ChangedLocks = Readonly<Record<string, number | null>>;

/** @param accounts by the hex of their addresses */
export function changedLocksOf(accounts: ReadonlyMap<string, LockedAccount>, now: number): ChangedLocks {
  const changed: Record<string, number | null> = {};
  for (const [name, { created, unlockedUntil }] of accounts) {
    const left = isUnlocked(unlockedUntil, now) ? (unlockedUntil ?? now) - now : 0;
    if (left !== (created ? 0 : Number.POSITIVE_INFINITY))
      changed[name] = Number.isFinite(left) ? left : null;
  }
  return changed;
}

/** Locks and unlocks all accounts as `changedLocksOf` had them; those that are gone are passed over. */
export function setLocksOf(
  accounts: ReadonlyMap<string, LockedAccount>,
  changed: ChangedLocks,
  now: number,
): void {
  for (const [name, account] of accounts) {
    const isOpen = Object.hasOwn(changed, name) ? changed[name] === null : !account.created;
    const left = isOpen ? Number.POSITIVE_INFINITY : (changed[name] ?? 0);
    account.unlockedUntil = left === 0 ? undefined : now + left;
  }
}
