import { PASSPHRASE_CHARACTERS_MAX, UNLOCK_SECONDS_MAX, WALLET_ACCOUNTS_MAX } from '../limits.ts';
import { type Address, bytesToHex, type Seed } from '../protocol/index.ts';
import type { Stopwatch } from '../time.ts';
import { WalletError } from './errors.ts';
import { signatureOf } from './keys.ts';
import { type TypedData, typedDataDigest } from './typed-data.ts';

/** Seconds that an account is unlocked for when the caller names no duration. */
const UNLOCK_SECONDS_DEFAULT = 300;

/**
 * The end of an account's unlocked time: milliseconds of the wallet's clock, `Infinity` for "until it is locked", and
 * `undefined` for a locked account.
 */
type UnlockedUntil = number | undefined;

/** Returns true if a lock is open at a time; it closes automatically at the end of its duration. */
export function isUnlocked(until: UnlockedUntil, now: number): boolean {
  return until !== undefined && now < until;
}

/**
 * Computes the end of the unlocked time that `personal_unlockAccount` begins. A duration that the caller names counts
 * from now; 0 means until the account is locked. The default never shortens the time that is left.
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

/** An account whose key a wallet holds. */
export interface HeldAccount {
  readonly address: Address;
  readonly seed: Seed;
  readonly passphrase: string;
  /** True if the wallet created it, so that no genesis restores it: it starts locked, the others unlocked. */
  readonly created: boolean;
  unlockedUntil: UnlockedUntil;
}

/**
 * The accounts whose locks are not as at the start, by the hex of their addresses: milliseconds that each stays
 * unlocked, `null` for until it is locked, 0 for a locked one.
 */
export type ChangedLocks = Readonly<Record<string, number | null>>;

/** The accounts of a wallet and their locks. */
export abstract class Keyring<Account extends HeldAccount> {
  /** Accounts by the hex of the address: those of the genesis, then the others in the order of creation. */
  readonly #accounts = new Map<string, Account>();
  readonly #time: Stopwatch;

  constructor(time: Stopwatch) {
    this.#time = time;
  }

  /** Lists the addresses of all accounts, those of the genesis first, then in the order of creation. */
  list(): Address[] {
    return this.accounts().map(({ address }) => address);
  }

  /** Returns true if the wallet has the key of an address. */
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

  /** Returns the locks that are not as at the start. */
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

  /** Restores what {@link Keyring.changedLocks} returned; accounts that no longer exist are ignored. */
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
  }

  protected remove(account: Account): void {
    this.#accounts.delete(bytesToHex(account.address));
  }

  /** Replaces the accounts of the genesis. Created ones stay behind them, but for those that are among them. */
  protected putGenesis(accounts: readonly Account[]): void {
    const created = this.created();
    this.#accounts.clear();
    for (const account of accounts) this.put(account);
    for (const account of created) if (!this.holds(account.address)) this.put(account);
  }

  /** @throws WalletError `INVALID_PASSPHRASE`, `WALLET_FULL` where one more account with this passphrase is refused */
  protected requireAdmission(passphrase: string): void {
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

  /** @throws WalletError `INVALID_DURATION` */
  protected unlockUntil({ unlockedUntil }: Account, durationSeconds: number | undefined): number {
    return unlockUntil(unlockedUntil, this.#time.now(), durationSeconds);
  }

  /** The refusal of a request for an account, in the words of the interface. */
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
   * Finds an account by its passphrase, or an unlocked one without.
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
