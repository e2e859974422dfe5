import { UNLOCK_SECONDS_DEFAULT, UNLOCK_SECONDS_MAX } from '../limits.ts';
import { WalletError } from './errors.ts';

/**
 * Until when an account is unlocked: a time of the wallet's clock in milliseconds, `Infinity` for "until it
 * is locked", and `undefined` for a locked account.
 */
export type UnlockedUntil = number | undefined;

/** Tells whether a lock is open at a time; it closes by itself at the end of its duration. */
export function isUnlocked(until: UnlockedUntil, now: number): boolean {
  return until !== undefined && now < until;
}

/**
 * Computes until when an account is unlocked by `personal_unlockAccount`.
 *
 * A duration that the caller names counts from now, whatever was before; 0 means until the account is locked.
 * The default duration never shortens the time that an account is unlocked for already.
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
