import type { Ledger } from '../ledger/index.ts';
import { ACCOUNT_CREATE_FEE, RefusedError, signTransaction } from '../ledger/index.ts';
import { PASSPHRASE_CHARACTERS_MAX, WALLET_ACCOUNTS_MAX, WALLET_EXPIRATION_SECONDS } from '../limits.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  accountId,
  bytesToHex,
  createKeyPair,
  encode,
  equalBytes,
  formatAccountId,
  type Hash,
  invariant,
  type KeyPair,
  type Operation,
  operationCodec,
  type Seed,
  type SignedTransaction,
  toPrefixedHex,
} from '../protocol/index.ts';
import type { Stopwatch } from '../time.ts';
import { WalletError, WalletFileError } from './errors.ts';
import { evmAddressOf, generateSeed, signDigest, signPersonalMessage, testAccountOf } from './keys.ts';
import { isUnlocked, type UnlockedUntil, unlockUntil } from './locks.ts';
import { registrationOf } from './registration.ts';
import { operationOf, type TransactionRequest } from './transaction.ts';
import { type TypedData, typedDataDigest } from './typed-data.ts';
import type { StoredAccount, WalletStorage } from './wallet-file.ts';

/** What the wallet needs of a ledger. */
export type WalletLedger = Pick<
  Ledger,
  | 'chainId'
  | 'head'
  | 'onForgotten'
  | 'accountByAddress'
  | 'accountByEvmAddress'
  | 'receiverAt'
  | 'estimateGas'
  | 'submit'
  | 'submitInOwnBlock'
>;

/** An account of the genesis whose key the wallet holds. */
export interface GenesisWalletAccount {
  readonly id: AccountId;
  readonly seed: Seed;
}

/** The account that pays for new accounts. */
export interface Registrar {
  readonly id: AccountId;
  readonly keys: KeyPair;
}

export interface WalletOptions {
  /** Unlock durations run by it. */
  readonly time: Stopwatch;
  readonly registrar: Registrar;
  /** Where created accounts survive a restart; absent: they do not. */
  readonly storage?: WalletStorage | undefined;
}

/** A test account as `personal_listRawAccounts` shows it (docs/interface.md#test-account-record). */
export interface WalletRecord {
  readonly address: Address;
  readonly privateKey: Seed;
  readonly passphrase: string;
  readonly locked: boolean;
}

interface WalletAccount {
  readonly id: AccountId;
  readonly address: Address;
  readonly seed: Seed;
  /** Made when it first signs. */
  keys: KeyPair | undefined;
  readonly passphrase: string;
  /** Whether the wallet made this account, so that the genesis does not bring it back at the next start. */
  readonly created: boolean;
  unlockedUntil: UnlockedUntil;
}

/** The test wallet: holds keys, locks and unlocks them, signs and sends with them (docs/interface.md#test-mode). */
export class Wallet {
  readonly #ledger: WalletLedger;
  readonly #options: WalletOptions;
  /** By the hex of the address, in the order of their creation. */
  readonly #accounts = new Map<string, WalletAccount>();
  /** Newest expiration of equal operations since the newest block: spares trying a long series again. */
  readonly #expirations = { head: '', used: new Map<string, number>() };

  /**
   * @param accounts accounts of the genesis: unlocked until they are locked, with the empty passphrase
   * @throws WalletFileError when the stored accounts are damaged or not of this ledger
   */
  constructor(ledger: WalletLedger, accounts: readonly GenesisWalletAccount[], options: WalletOptions) {
    this.#ledger = ledger;
    this.#options = options;
    for (const { id, seed } of accounts) {
      this.#add({ id, seed, passphrase: '' }, false, Number.POSITIVE_INFINITY);
    }
    ledger.onForgotten(() => this.#forget());
    for (const stored of options.storage?.load() ?? []) {
      if (ledger.accountByAddress(accountAddress(stored.id)) === undefined) {
        throw new WalletFileError(
          `the wallet file holds a key of ${formatAccountId(stored.id)}, which is no account of this ledger`,
        );
      }
      this.#add(stored, true, undefined);
    }
  }

  /** Lists the addresses of all accounts, those of the genesis first, then in the order of creation. */
  list(): Address[] {
    return [...this.#accounts.values()].map(({ address }) => address);
  }

  /** Lists all accounts with their keys and passphrases. */
  records(): WalletRecord[] {
    const now = this.#options.time.now();
    return [...this.#accounts.values()].map(({ address, seed, passphrase, unlockedUntil }) => ({
      address,
      privateKey: seed,
      passphrase,
      locked: !isUnlocked(unlockedUntil, now),
    }));
  }

  /**
   * Registers a newly generated key as an account, in a block of its own, also while mining is stopped.
   * The account starts locked; its key is kept before its address is answered.
   *
   * @param passphrase unlocks the account
   * @throws WalletError `INVALID_PASSPHRASE`, `WALLET_FULL`
   * @throws RefusedError when the ledger refuses the registration
   * @throws WalletFileError when the key cannot be kept
   */
  create(passphrase: string): Address {
    if (passphrase.length > PASSPHRASE_CHARACTERS_MAX) {
      throw new WalletError(
        'INVALID_PASSPHRASE',
        `the passphrase exceeds ${PASSPHRASE_CHARACTERS_MAX} characters`,
      );
    }
    if (this.#accounts.size >= WALLET_ACCOUNTS_MAX) {
      throw new WalletError('WALLET_FULL', `the wallet is full: at most ${WALLET_ACCOUNTS_MAX} accounts`);
    }
    const { registrar, storage } = this.#options;
    const key = testAccountOf(generateSeed());
    const head = this.#ledger.head();
    const [included] = this.#ledger.submitInOwnBlock(
      signTransaction(
        registrationOf(key, registrar.id, ACCOUNT_CREATE_FEE),
        registrar.keys,
        this.#ledger.chainId,
        head,
        head.header.timestamp + WALLET_EXPIRATION_SECONDS,
      ),
    );
    const result = included?.result;
    invariant(result?.type === 'object', 'a registration results in the identifier of the account');
    const stored = { id: accountId(result.id.instance), seed: key.seed, passphrase };
    storage?.save([...this.#createdAccounts(), stored]);
    return this.#add(stored, true, undefined).address;
  }

  /** Locks an account. @throws WalletError `UNKNOWN_ACCOUNT` */
  lock(address: Address): void {
    this.#find(address).unlockedUntil = undefined;
  }

  /**
   * Unlocks an account for a time.
   *
   * @param durationSeconds whole seconds; 0: until it is locked; absent: the default, 300 s
   * @returns false for a wrong passphrase, which changes nothing
   * @throws WalletError `UNKNOWN_ACCOUNT`, `INVALID_DURATION`
   */
  unlock(address: Address, passphrase: string, durationSeconds?: number): boolean {
    const account = this.#find(address);
    const until = unlockUntil(account.unlockedUntil, this.#options.time.now(), durationSeconds);
    if (passphrase !== account.passphrase) return false;
    account.unlockedUntil = until;
    return true;
  }

  /**
   * The accounts whose locks are not as at the start, by the hex of their addresses: milliseconds that each stays
   * unlocked, `null` for until it is locked, 0 for a locked one.
   */
  changedLocks(): Readonly<Record<string, number | null>> {
    const now = this.#options.time.now();
    const changed: Record<string, number | null> = {};
    for (const [name, { created, unlockedUntil }] of this.#accounts) {
      const left = isUnlocked(unlockedUntil, now) ? (unlockedUntil ?? now) - now : 0;
      if (left !== (created ? 0 : Number.POSITIVE_INFINITY))
        changed[name] = Number.isFinite(left) ? left : null;
    }
    return changed;
  }

  /** Locks and unlocks all accounts as {@link Wallet.changedLocks} had them; those that are gone are passed over. */
  setLocks(changed: Readonly<Record<string, number | null>>): void {
    const now = this.#options.time.now();
    for (const [name, account] of this.#accounts) {
      const left =
        changed[name] ?? (Object.hasOwn(changed, name) || !account.created ? Number.POSITIVE_INFINITY : 0);
      account.unlockedUntil = left === 0 ? undefined : now + left;
    }
  }

  /**
   * Signs a message as `eth_sign` does.
   *
   * @param passphrase of an account that may be locked; absent: it must not be
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`
   */
  signMessage(address: Address, message: Uint8Array, passphrase?: string): Uint8Array {
    return signPersonalMessage(this.#findWith(address, passphrase).seed, message);
  }

  /**
   * Signs typed structured data (EIP-712) with the key of an unlocked account.
   *
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `INVALID_TYPED_DATA`
   */
  signTypedData(address: Address, data: TypedData): Uint8Array {
    return signDigest(this.#findUnlocked(address).seed, typedDataDigest(data));
  }

  /**
   * Signs a transaction as `send` does, and sends nothing.
   *
   * @param passphrase of an account that may be locked; absent: it must not be
   * @param later seconds by which it expires later, so that equal ones can be told apart
   * @throws WalletError `WRONG_PASSPHRASE`, and what {@link Wallet.send} throws
   */
  sign(request: TransactionRequest, passphrase?: string, later = 0): SignedTransaction {
    const { operation, keys } = this.#prepare(request, this.#findWith(request.from, passphrase));
    const head = this.#ledger.head();
    const expiration = head.header.timestamp + WALLET_EXPIRATION_SECONDS + later;
    return signTransaction(operation, keys, this.#ledger.chainId, head, expiration);
  }

  /**
   * Signs and sends a transaction of an unlocked account.
   *
   * @returns the transaction's hash: of the processed form when it is in a block already
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `INVALID_AMOUNT`
   * @throws RefusedError, ExecutionRevertedError from the ledger; nothing was sent then
   */
  send(request: TransactionRequest): Hash {
    return this.#send(request, this.#findUnlocked(request.from));
  }

  /**
   * Signs and sends a transaction with an account that may be locked and stays as it is.
   * @throws WalletError `WRONG_PASSPHRASE`, and what {@link Wallet.send} throws
   */
  sendWithPassphrase(request: TransactionRequest, passphrase: string): Hash {
    return this.#send(request, this.#findWith(request.from, passphrase));
  }

  #send(request: TransactionRequest, account: WalletAccount): Hash {
    const { operation, keys } = this.#prepare(request, account);
    return this.#submitNew(operation, keys);
  }

  /** The operation of a request with a fee, and what signs it. */
  #prepare(request: TransactionRequest, account: WalletAccount): { operation: Operation; keys: KeyPair } {
    // Refuses a wrong receiver before the estimate is paid for.
    operationOf(request, account.id, this.#ledger);
    const gas = request.gas ?? this.#ledger.estimateGas(request);
    account.keys ??= createKeyPair(account.seed);
    return { operation: operationOf({ ...request, gas }, account.id, this.#ledger), keys: account.keys };
  }

  /** Submits an operation, with a later expiration for as long as an equal transaction exists. */
  #submitNew(operation: Operation, keys: KeyPair): Hash {
    const head = this.#ledger.head();
    const used = this.#expirationsAfter(head.id);
    const identity = bytesToHex(encode(operationCodec, operation));
    let expiration = (used.get(identity) ?? head.header.timestamp + WALLET_EXPIRATION_SECONDS - 1) + 1;
    for (;;) {
      try {
        const transaction = signTransaction(operation, keys, this.#ledger.chainId, head, expiration);
        const { hash } = this.#ledger.submit(transaction);
        used.set(identity, expiration);
        return hash;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        expiration += 1;
      }
    }
  }

  #expirationsAfter(head: Uint8Array): Map<string, number> {
    const id = bytesToHex(head);
    if (this.#expirations.head !== id) {
      this.#expirations.head = id;
      this.#expirations.used.clear();
    }
    return this.#expirations.used;
  }

  #add(stored: StoredAccount, created: boolean, unlockedUntil: UnlockedUntil): WalletAccount {
    const address = accountAddress(stored.id);
    const account = { ...stored, address, keys: undefined, created, unlockedUntil };
    this.#accounts.set(bytesToHex(address), account);
    return account;
  }

  /** Lets the accounts go whose registration has vanished with its block. */
  #forget(): void {
    this.#expirations.head = '';
    const before = this.#accounts.size;
    for (const [key, account] of this.#accounts) {
      if (account.created && !this.#isRegistered(account)) this.#accounts.delete(key);
    }
    if (this.#accounts.size < before) this.#options.storage?.save(this.#createdAccounts());
  }

  /** Whether the account of this id is that of this key. */
  #isRegistered({ address, seed }: WalletAccount): boolean {
    const registered = this.#ledger.accountByAddress(address)?.evmAddress;
    return registered !== undefined && equalBytes(registered, evmAddressOf(seed));
  }

  #createdAccounts(): StoredAccount[] {
    return [...this.#accounts.values()]
      .filter(({ created }) => created)
      .map(({ id, seed, passphrase }) => ({ id, seed, passphrase }));
  }

  #find(address: Address): WalletAccount {
    const account = this.#accounts.get(bytesToHex(address));
    if (account !== undefined) return account;
    const owner = this.#ledger.accountByEvmAddress(address);
    const hint =
      owner === undefined
        ? 'it is not in the wallet'
        : `it is the EVM address of the account ${toPrefixedHex(accountAddress(owner))}: give that address`;
    throw new WalletError('UNKNOWN_ACCOUNT', `unknown account ${toPrefixedHex(address)}: ${hint}`);
  }

  /** Finds an account whose passphrase is given, or one that is unlocked. */
  #findWith(address: Address, passphrase: string | undefined): WalletAccount {
    if (passphrase === undefined) return this.#findUnlocked(address);
    const account = this.#find(address);
    if (passphrase === account.passphrase) return account;
    throw new WalletError('WRONG_PASSPHRASE', `wrong passphrase for account ${toPrefixedHex(address)}`);
  }

  #findUnlocked(address: Address): WalletAccount {
    const account = this.#find(address);
    if (!isUnlocked(account.unlockedUntil, this.#options.time.now())) {
      throw new WalletError('LOCKED', `account ${toPrefixedHex(address)} is locked`);
    }
    return account;
  }
}

/** Any other refusal, a too late expiration among them, ends the search for a free one. */
function isDuplicate(error: unknown): boolean {
  return (
    error instanceof RefusedError &&
    (error.reason.code === 'alreadyPending' || error.reason.code === 'alreadyIncluded')
  );
}
