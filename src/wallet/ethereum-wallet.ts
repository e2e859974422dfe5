import {
  type Address,
  bytesToHex,
  type EthereumTransactionFields,
  type Seed,
  signEthereumTransaction,
  toPrefixedHex,
} from '../protocol/index.ts';
import { type Stopwatch, systemTime } from '../time.ts';
import { requireAdmission } from './admission.ts';
import { WalletError } from './errors.ts';
import type { CreatedKey } from './ethereum-key-file.ts';
import type { KeptValue } from './kept-file.ts';
import { evmAddressOf, generateSeed, signatureOf, signPersonalMessage } from './keys.ts';
import {
  type ChangedLocks,
  changedLocksOf,
  isUnlocked,
  setLocksOf,
  type UnlockedUntil,
  unlockUntil,
} from './locks.ts';
import { type TypedData, typedDataDigest } from './typed-data.ts';

interface HeldKey extends CreatedKey {
  readonly address: Address;
  /** Whether the wallet was given it while it ran, so that the genesis does not bring it back at the next start. */
  readonly created: boolean;
  unlockedUntil: UnlockedUntil;
}

/** What of a wallet is not as at the start of the node. */
export interface EthereumWalletChanges {
  /** How many keys were created. */
  readonly created: number;
  readonly locks: ChangedLocks;
}

/** By which clock keys lock themselves, and where created ones are kept. */
export interface EthereumWalletOptions {
  /** The locks go by it; absent: the system's. */
  readonly time?: Stopwatch;
  /** Absent: created keys end with the node. */
  readonly storage?: KeptValue<readonly CreatedKey[]> | undefined;
}

/**
 * Keys of secp256k1 in test mode, for a chain that knows Ethereum: lists them and signs with them. Those that the chain
 * begins with are unlocked until they are locked, with the empty passphrase; created ones start locked.
 */
export class EthereumWallet {
  /** By the hex of the address: those that the chain begins with, then in the order of their creation. */
  readonly #keys = new Map<string, HeldKey>();
  readonly #time: Stopwatch;
  readonly #storage: KeptValue<readonly CreatedKey[]> | undefined;

  /** @throws WalletFileError when what was kept is damaged */
  constructor(keys: readonly Seed[], { time = systemTime, storage }: EthereumWalletOptions = {}) {
    this.#time = time;
    this.#storage = storage;
    this.beginWith(keys);
    for (const stored of storage?.load() ?? []) this.#add(stored, true);
  }

  /** From now on the chain begins with these keys; created ones stay behind them. */
  beginWith(keys: readonly Seed[]): void {
    const created = this.#created();
    this.#keys.clear();
    for (const key of keys) this.#add({ key, passphrase: '' }, false);
    for (const held of created) {
      const name = bytesToHex(held.address);
      if (!this.#keys.has(name)) this.#keys.set(name, held);
    }
  }

  /** The addresses of all keys, those that the chain begins with first, then in the order of their creation. */
  list(): Address[] {
    return [...this.#keys.values()].map(({ address }) => address);
  }

  /** Whether the wallet has the key of an address. */
  holds(address: Address): boolean {
    return this.#keys.has(bytesToHex(address));
  }

  /**
   * Takes a key in, which starts locked and is kept before its address is answered.
   *
   * @param passphrase unlocks it
   * @param key absent: a newly generated one
   * @throws WalletError `INVALID_PASSPHRASE`, `WALLET_FULL`, `ACCOUNT_EXISTS`
   * @throws WalletFileError when it cannot be kept
   */
  create(passphrase: string, key: Seed = generateSeed()): Address {
    requireAdmission(passphrase, this.#keys.size);
    const address = evmAddressOf(key);
    if (this.holds(address)) {
      throw new WalletError('ACCOUNT_EXISTS', `account already exists: ${toPrefixedHex(address)}`);
    }
    this.#storage?.save([...this.#created(), { key, passphrase }]);
    this.#add({ key, passphrase }, true);
    return address;
  }

  /** Locks an account. @throws WalletError `UNKNOWN_ACCOUNT` */
  lock(address: Address): void {
    this.#find(address).unlockedUntil = undefined;
  }

  /**
   * Unlocks an account for a time.
   *
   * @param durationSeconds whole seconds; 0: until it is locked; absent: the default, 300 s
   * @throws WalletError `UNKNOWN_ACCOUNT`, `INVALID_DURATION`, `WRONG_PASSPHRASE`; nothing is changed then
   */
  unlock(address: Address, passphrase: string, durationSeconds?: number): void {
    const held = this.#findBy(address, passphrase);
    held.unlockedUntil = unlockUntil(held.unlockedUntil, this.#time.now(), durationSeconds);
  }

  /**
   * Signs a transaction and sends nothing.
   *
   * @param passphrase of an account that may be locked; absent: it must not be
   * @returns the bytes that `eth_sendRawTransaction` takes
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`
   * @throws {FormatError} for a number that has no place in its field
   */
  signTransaction(address: Address, fields: EthereumTransactionFields, passphrase?: string): Uint8Array {
    const { key } =
      passphrase === undefined ? this.#findUnlocked(address) : this.#findBy(address, passphrase);
    return signEthereumTransaction(fields, key);
  }

  /**
   * Makes sure of being able to sign for an account, before anything else is done for it.
   *
   * @throws WalletError as {@link EthereumWallet.signTransaction}
   */
  requireUsable(address: Address, passphrase?: string): void {
    if (passphrase === undefined) this.#findUnlocked(address);
    else this.#findBy(address, passphrase);
  }

  /**
   * Signs a message as `personal_sign` and `eth_sign` do.
   *
   * @param passphrase looked at where the account is locked
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`
   */
  signMessage(address: Address, message: Uint8Array, passphrase?: string): Uint8Array {
    const held = this.#find(address);
    if (passphrase !== undefined && !this.#isUnlocked(held)) this.#findBy(address, passphrase);
    else this.#findUnlocked(address);
    return signPersonalMessage(held.key, message);
  }

  /**
   * Signs typed structured data (EIP-712, `eth_signTypedData_v4`).
   *
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `INVALID_TYPED_DATA`
   */
  signTypedData(address: Address, data: TypedData): Uint8Array {
    return signatureOf(this.#findUnlocked(address).key, typedDataDigest(data));
  }

  /** Returns the epoch of the storage; undefined without storage. */
  keptEpoch(): number | undefined {
    return this.#storage?.epoch();
  }

  /** What is not as at the start; undefined where all is. */
  changes(): EthereumWalletChanges | undefined {
    const locks = changedLocksOf(this.#keys, this.#time.now());
    const created = this.#created().length;
    return created === 0 && Object.keys(locks).length === 0 ? undefined : { created, locks };
  }

  /**
   * Makes everything as it was: keys that were created later go, and all locks are as they were.
   *
   * @throws WalletFileError when what is left cannot be kept
   */
  restore({ created, locks }: EthereumWalletChanges): void {
    const gone = this.#created().slice(created);
    if (gone.length > 0) this.#storage?.save(this.#created().slice(0, created));
    for (const { address } of gone) this.#keys.delete(bytesToHex(address));
    setLocksOf(this.#keys, locks, this.#time.now());
  }

  #add({ key, passphrase }: CreatedKey, created: boolean): void {
    const address = evmAddressOf(key);
    const name = bytesToHex(address);
    if (created && this.#keys.has(name)) return;
    const unlockedUntil = created ? undefined : Number.POSITIVE_INFINITY;
    this.#keys.set(name, { key, passphrase, address, created, unlockedUntil });
  }

  #created(): HeldKey[] {
    return [...this.#keys.values()].filter(({ created }) => created);
  }

  #isUnlocked({ unlockedUntil }: HeldKey): boolean {
    return isUnlocked(unlockedUntil, this.#time.now());
  }

  #find(address: Address): HeldKey {
    const held = this.#keys.get(bytesToHex(address));
    if (held === undefined) throw new WalletError('UNKNOWN_ACCOUNT', 'unknown account');
    return held;
  }

  #findUnlocked(address: Address): HeldKey {
    const held = this.#find(address);
    if (this.#isUnlocked(held)) return held;
    throw new WalletError('LOCKED', 'authentication needed: password or unlock');
  }

  #findBy(address: Address, passphrase: string): HeldKey {
    const held = this.#find(address);
    if (passphrase === held.passphrase) return held;
    throw new WalletError('WRONG_PASSPHRASE', 'could not decrypt key with given password');
  }
}
