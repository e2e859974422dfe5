import {
  type Address,
  type Authorization,
  type AuthorizationFields,
  type EthereumTransactionFields,
  type Seed,
  signAuthorization,
  signEthereumTransaction,
  toPrefixedHex,
} from '../protocol/index.ts';
import { type Stopwatch, systemTime } from '../time/time.ts';
import { type ChangedLocks, Keyring, type KeyringAccount } from './keyring.ts';
import { evmAddressOf, generateSeed, signPersonalMessage } from './keys.ts';
import type { StoredValue } from './stored-file.ts';
import { WalletError } from './wallet-errors.ts';
import type { CreatedKey } from './wallet-file.ts';

/** The changes of a wallet since the start of the node. */
export interface EthereumWalletChanges {
  /** Number of created keys. */
  readonly created: number;
  readonly locks: ChangedLocks;
}

/** The clock and the storage of a wallet. */
export interface EthereumWalletOptions {
  /** The clock of the locks; absent: the system's. */
  readonly time?: Stopwatch;
  /** Storage of created keys; absent: they are lost when the node stops. */
  readonly storage?: StoredValue<readonly CreatedKey[]> | undefined;
}

/** Error messages of geth. */
const REFUSALS = {
  UNKNOWN_ACCOUNT: 'unknown account',
  LOCKED: 'authentication needed: password or unlock',
  WRONG_PASSPHRASE: 'could not decrypt key with given password',
};

/**
 * The secp256k1 keys of test mode, for a chain with Ethereum. Keys of the genesis start unlocked, with the empty
 * passphrase; created ones start locked.
 */
export class EthereumWallet extends Keyring<KeyringAccount> {
  readonly #storage: StoredValue<readonly CreatedKey[]> | undefined;

  /** @throws WalletFileError when the storage is damaged */
  constructor(keys: readonly Seed[], { time = systemTime, storage }: EthereumWalletOptions = {}) {
    super(time);
    this.#storage = storage;
    this.beginWith(keys);
    for (const stored of storage?.load() ?? []) {
      const account = accountOf(stored, true);
      if (!this.holds(account.address)) this.put(account);
    }
  }

  /** Replaces the keys of the genesis; created ones stay, after them. */
  beginWith(keys: readonly Seed[]): void {
    this.putGenesis(keys.map((seed) => accountOf({ seed, passphrase: '' }, false)));
  }

  /**
   * Adds a key and stores it before it returns its address. The key starts locked.
   *
   * @param passphrase unlocks the key
   * @param seed absent: a newly generated one
   * @throws WalletError `INVALID_PASSPHRASE`, `WALLET_FULL`, `ACCOUNT_EXISTS`
   * @throws WalletFileError when it cannot be stored
   */
  create(passphrase: string, seed: Seed = generateSeed()): Address {
    this.requireAllowed(passphrase);
    const account = accountOf({ seed, passphrase }, true);
    const { address } = account;
    if (this.holds(address)) {
      throw new WalletError('ACCOUNT_EXISTS', `account already exists: ${toPrefixedHex(address)}`);
    }
    this.#storage?.save([...this.created(), account]);
    this.put(account);
    return address;
  }

  /**
   * Unlocks an account for a duration.
   *
   * @param durationSeconds whole seconds; 0: until it is locked; absent: the default, 300 s
   * @throws WalletError `UNKNOWN_ACCOUNT`, `INVALID_DURATION`, `WRONG_PASSPHRASE`; changes nothing then
   */
  unlock(address: Address, passphrase: string, durationSeconds?: number): void {
    const account = this.findUsable(address, passphrase);
    account.unlockedUntil = this.unlockUntil(account, durationSeconds);
  }

  /**
   * Signs a transaction without sending it.
   *
   * @param passphrase required for a locked account
   * @returns the parameter of `eth_sendRawTransaction`
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`
   * @throws {FormatError} for a number that does not fit its field
   */
  signTransaction(address: Address, fields: EthereumTransactionFields, passphrase?: string): Uint8Array {
    return signEthereumTransaction(fields, this.findUsable(address, passphrase).seed);
  }

  /**
   * Signs an authorization of an unlocked account (EIP-7702).
   *
   * @throws WalletError as {@link EthereumWallet.signTransaction}
   */
  signAuthorization(address: Address, fields: AuthorizationFields): Authorization {
    return signAuthorization(fields, this.findUsable(address).seed);
  }

  /**
   * Signs a message as `personal_sign` and `eth_sign` do.
   *
   * @param passphrase checked if the account is locked
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`
   */
  signMessage(address: Address, message: Uint8Array, passphrase?: string): Uint8Array {
    const needed = this.isUnlocked(this.find(address)) ? undefined : passphrase;
    return signPersonalMessage(this.findUsable(address, needed).seed, message);
  }

  /** Returns the reorganisation count of the storage; undefined without storage. */
  storedReorgCount(): number | undefined {
    return this.#storage?.reorgCount();
  }

  /** Returns the changes since the start; undefined without any. */
  changes(): EthereumWalletChanges | undefined {
    const locks = this.changedLocks();
    const created = this.created().length;
    return created === 0 && Object.keys(locks).length === 0 ? undefined : { created, locks };
  }

  /**
   * Removes the keys that were created later, and restores all locks.
   *
   * @throws WalletFileError when the remaining keys cannot be stored
   */
  restore({ created, locks }: EthereumWalletChanges): void {
    const removed = this.created().slice(created);
    if (removed.length > 0) this.#storage?.save(this.created().slice(0, created));
    for (const account of removed) this.remove(account);
    this.setLocks(locks);
  }

  protected override refusal(code: keyof typeof REFUSALS): WalletError {
    return new WalletError(code, REFUSALS[code]);
  }
}

function accountOf({ seed, passphrase }: CreatedKey, created: boolean): KeyringAccount {
  const unlockedUntil = created ? undefined : Number.POSITIVE_INFINITY;
  return { seed, passphrase, address: evmAddressOf(seed), created, unlockedUntil };
}
