import { Listeners } from '../ledger/index.ts';
import { type Address, bytesToHex, type Seed } from '../protocol/index.ts';
import type { Stopwatch } from '../time/time.ts';
import { signatureOf } from './keys.ts';
import { type TypedData, typedDataDigest } from './typed-data.ts';
import { WalletError } from './wallet-errors.ts';

/** Seconds in `personal_unlockAccount`: over 136 years, so that the clock cannot overflow. */
export const UNLOCK_SECONDS_MAX = 2 ** 32 - 1;
/** Characters of the passphrase of a test account. */
export const PASSPHRASE_CHARACTERS_MAX = 1_024;
/** Accounts of the test wallet, with those of the genesis. */
export const WALLET_ACCOUNTS_MAX = 10_000;

/** Default duration of an unlocked account in seconds. */
const UNLOCK_SECONDS_DEFAULT = 300;

/** Time at which an account locks, by the wallet's clock in milliseconds: `Infinity` for never, undefined if locked. */
type UnlockedUntil = number | undefined;

/** True if an account is unlocked at a time. */
export function isUnlocked(until: UnlockedUntil, now: number): boolean {
  return until !== undefined && now < until;
}

/**
 * Computes the time at which an account locks after `personal_unlockAccount`. An explicit duration counts from now; 0
 * means until the account is locked. The default never shortens the remaining time.
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

export interface KeyringAccount {
  readonly address: Address;
  readonly seed: Seed;
  readonly passphrase: string;
  /** True if the wallet created it: it starts locked. False for accounts of the genesis, which start unlocked. */
  readonly created: boolean;
  unlockedUntil: UnlockedUntil;
}

/**
 * Locks that differ from those at the start, by address in hex: remaining unlocked milliseconds, `null` for no limit, 0
 * for a locked account.
 */
export type ChangedLocks = Readonly<Record<string, number | null>>;

/** The accounts of a wallet with their locks. */
export abstract class Keyring<Account extends KeyringAccount> {
  /** Accounts by address in hex: those of the genesis, then the others in the order of creation. */
  readonly #accounts = new Map<string, Account>();
  readonly #listeners = new Listeners<[]>();
  readonly #time: Stopwatch;

  constructor(time: Stopwatch) {
    this.#time = time;
  }

  /** Lists the addresses of all accounts, those of the genesis first, then in the order of creation. */
  list(): Address[] {
    return this.accounts().map(({ address }) => address);
  }

  /** Calls back whenever an account may have been added or removed. Returns a function that unsubscribes. */
  onAccounts(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** True if the wallet has the key of an address. */
  holds(address: Address): boolean {
    return this.#accounts.has(bytesToHex(address));
  }

  /** Locks an account. @throws WalletError `UNKNOWN_ACCOUNT` */
  lock(address: Address): void {
    this.find(address).unlockedUntil = undefined;
  }

  /**
   * Signs typed structured data (EIP-712, `eth_signTypedData_v4`) with the key of an unlocked account.
   *
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `INVALID_TYPED_DATA`
   */
  signTypedData(address: Address, data: TypedData): Uint8Array {
    return signatureOf(this.findUsable(address).seed, typedDataDigest(data));
  }

  /** Returns the locks that differ from those at the start. */
  changedLocks(): ChangedLocks {
    const now = this.#time.now();
    const changed: Record<string, number | null> = {};
    for (const [name, { created, unlockedUntil }] of this.#accounts) {
      const left = isUnlocked(unlockedUntil, now) ? (unlockedUntil ?? now) - now : 0;
      if (left !== (created ? 0 : Number.POSITIVE_INFINITY))
        changed[name] = Number.isFinite(left) ? left : null;
    }
    return changed;
  }

  /** Restores the result of {@link Keyring.changedLocks}; ignores accounts that no longer exist. */
  setLocks(changed: ChangedLocks): void {
    const now = this.#time.now();
    for (const [name, account] of this.#accounts) {
      const isOpen = Object.hasOwn(changed, name) ? changed[name] === null : !account.created;
      const left = isOpen ? Number.POSITIVE_INFINITY : (changed[name] ?? 0);
      account.unlockedUntil = left === 0 ? undefined : now + left;
    }
  }

  protected accounts(): Account[] {
    return [...this.#accounts.values()];
  }

  protected created(): Account[] {
    return this.accounts().filter(({ created }) => created);
  }

  /** Adds an account, or replaces the one of its address. */
  protected put(account: Account): void {
    this.#accounts.set(bytesToHex(account.address), account);
    this.#listeners.notify();
  }

  protected remove(account: Account): void {
    this.#accounts.delete(bytesToHex(account.address));
    this.#listeners.notify();
  }

  /** Replaces the accounts of the genesis. Created ones stay, after them, unless they are among them. */
  protected putGenesis(accounts: readonly Account[]): void {
    const created = this.created();
    this.#accounts.clear();
    for (const account of accounts) this.put(account);
    for (const account of created) if (!this.holds(account.address)) this.put(account);
  }

  /** Checks a new account. @throws WalletError `INVALID_PASSPHRASE`, `WALLET_FULL` */
  protected requireAllowed(passphrase: string): void {
    if (passphrase.length > PASSPHRASE_CHARACTERS_MAX) {
      throw new WalletError(
        'INVALID_PASSPHRASE',
        `the passphrase exceeds ${PASSPHRASE_CHARACTERS_MAX} characters`,
      );
    }
    if (this.#accounts.size >= WALLET_ACCOUNTS_MAX) {
      throw new WalletError('WALLET_FULL', `the wallet is full: at most ${WALLET_ACCOUNTS_MAX} accounts`);
    }
  }

  protected isUnlocked({ unlockedUntil }: Account): boolean {
    return isUnlocked(unlockedUntil, this.#time.now());
  }

  /**
   * Checks that an account can sign.
   *
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`
   */
  requireUsable(address: Address, passphrase?: string): void {
    this.findUsable(address, passphrase);
  }

  /** @throws WalletError `INVALID_DURATION` */
  protected unlockUntil({ unlockedUntil }: Account, durationSeconds: number | undefined): number {
    return unlockUntil(unlockedUntil, this.#time.now(), durationSeconds);
  }

  /** Returns the error of a request for an account, in the words of the interface. */
  protected abstract refusal(
    code: 'UNKNOWN_ACCOUNT' | 'LOCKED' | 'WRONG_PASSPHRASE',
    address: Address,
  ): WalletError;

  /** @throws WalletError `UNKNOWN_ACCOUNT` */
  protected find(address: Address): Account {
    const account = this.#accounts.get(bytesToHex(address));
    if (account === undefined) throw this.refusal('UNKNOWN_ACCOUNT', address);
    return account;
  }

  /**
   * Finds an account and checks its passphrase or, without one, that it is unlocked.
   *
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`
   */
  protected findUsable(address: Address, passphrase?: string): Account {
    const account = this.find(address);
    if (passphrase === undefined ? this.isUnlocked(account) : passphrase === account.passphrase)
      return account;
    throw this.refusal(passphrase === undefined ? 'LOCKED' : 'WRONG_PASSPHRASE', address);
  }
}
