import { ACCOUNT_CREATE_FEE, type Ledger, unsignedTransaction } from '../ledger/index.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  accountId,
  createKeyPair,
  equalBytes,
  formatAccountId,
  type Hash,
  invariant,
  type KeyPair,
  type Operation,
  type Seed,
  type SignedTransaction,
  toPrefixedHex,
} from '../protocol/index.ts';
import type { Stopwatch } from '../time/time.ts';
import { Impersonation } from './impersonation.ts';
import { Keyring, type KeyringAccount } from './keyring.ts';
import { evmAddressOf, generateSeed, signPersonalMessage, testAccountOf } from './keys.ts';
import { OperationSubmitter, WALLET_EXPIRATION_SECONDS } from './operation-submitter.ts';
import type { StoredValue } from './stored-file.ts';
import {
  estimateOf,
  operationOf,
  registrationOf,
  type TransactionRequest,
  testCallOf,
} from './transaction.ts';
import { WalletError, type WalletErrorCode, WalletFileError } from './wallet-errors.ts';
import type { StoredAccount } from './wallet-file.ts';

/** The part of a ledger that the wallet uses. */
export type WalletLedger = Pick<Ledger, 'blocks' | 'history' | 'accounts' | 'calls' | 'parameters' | 'pool'>;

export interface GenesisWalletAccount {
  readonly id: AccountId;
  readonly seed: Seed;
}

/** The account that pays for new accounts. */
export interface Registrar {
  readonly id: AccountId;
  readonly keys: KeyPair;
}

/** Options of a wallet of native accounts. */
export interface WalletOptions {
  /** The clock of the locks. */
  readonly time: Stopwatch;
  readonly registrar: Registrar;
  /** Storage of created accounts; absent: they are lost when the node stops. */
  readonly storage?: Omit<StoredValue<readonly StoredAccount[]>, 'reorgCount'> | undefined;
  /** Absent: initially no address is impersonated. */
  readonly impersonation?: Impersonation | undefined;
}

/** A test account as `personal_listRawAccounts` shows it (docs/interface.md#test-account-record). */
export interface WalletRecord {
  readonly address: Address;
  readonly privateKey: Seed;
  readonly passphrase: string;
  readonly locked: boolean;
}

/** An account of this ledger with its key. */
interface WalletAccount extends KeyringAccount {
  readonly id: AccountId;
  /** Created with the first signature. */
  keys: KeyPair | undefined;
}

/** The test wallet: stores keys, locks and unlocks them, signs and sends with them (docs/interface.md#test-mode). */
export class Wallet extends Keyring<WalletAccount> {
  /** The addresses that need no key to send. */
  readonly impersonation: Impersonation;
  readonly #ledger: WalletLedger;
  readonly #options: WalletOptions;
  readonly #submitter: OperationSubmitter;

  /**
   * @param accounts accounts of the genesis: they start unlocked, with the empty passphrase
   * @throws WalletFileError when the stored accounts are damaged or not of this ledger
   */
  constructor(ledger: WalletLedger, accounts: readonly GenesisWalletAccount[], options: WalletOptions) {
    super(options.time);
    this.#ledger = ledger;
    this.#options = options;
    this.#submitter = new OperationSubmitter(ledger);
    this.impersonation = options.impersonation ?? new Impersonation();
    this.beginWith(accounts);
    ledger.history.onReorg(() => this.#handleReorg());
    this.#loadCreated();
  }

  /** Loads the stored accounts. Removes those of reverted blocks if the last process ended before it stored that. */
  #loadCreated(): void {
    const { storage } = this.#options;
    const isBehind = storage?.isBehind() === true;
    let hasRemoved = false;
    for (const stored of storage?.load() ?? []) {
      const address = accountAddress(stored.id);
      const isHere = isBehind
        ? this.#isRegistered({ address, seed: stored.seed })
        : this.#ledger.accounts.accountByAddress(address) !== undefined;
      if (isHere) this.put(accountOf(stored, true));
      else if (isBehind) hasRemoved = true;
      else {
        throw new WalletFileError(
          `the wallet file holds a key of ${formatAccountId(stored.id)}, which is no account of this ledger`,
        );
      }
    }
    if (hasRemoved) storage?.save(this.created());
  }

  /**
   * Replaces the accounts of the genesis: they start unlocked, with the empty passphrase. Created ones stay, after
   * them.
   *
   * @throws WalletFileError when the remaining accounts cannot be stored
   */
  beginWith(accounts: readonly GenesisWalletAccount[]): void {
    const before = this.created().length;
    this.putGenesis(accounts.map(({ id, seed }) => accountOf({ id, seed, passphrase: '' }, false)));
    if (this.created().length < before) this.#options.storage?.save(this.created());
  }

  /** Lists all accounts with their keys and passphrases. */
  records(): WalletRecord[] {
    return this.accounts().map((account) => ({
      address: account.address,
      privateKey: account.seed,
      passphrase: account.passphrase,
      locked: !this.isUnlocked(account),
    }));
  }

  impersonates(address: Address): boolean {
    return this.impersonation.has(address) || (this.impersonation.auto && !this.holds(address));
  }

  /**
   * Registers a key as an account in a separate block, also while mining is stopped. Stores the key before it returns
   * the address. The account starts locked.
   *
   * @param passphrase unlocks the account
   * @param seed the key; absent: a newly generated one
   * @throws WalletError `INVALID_PASSPHRASE`, `WALLET_FULL`
   * @throws RefusedError when the ledger refuses the registration
   * @throws WalletFileError when the key cannot be stored
   */
  create(passphrase: string, seed: Seed = generateSeed()): Address {
    this.requireAllowed(passphrase);
    const { registrar, storage } = this.#options;
    const key = testAccountOf(seed);
    const head = this.#ledger.blocks.head();
    const [included] = this.#ledger.pool.submitInOwnBlock(
      this.#ledger.pool.signatures.sign(
        registrationOf(key, registrar.id, ACCOUNT_CREATE_FEE),
        registrar.keys,
        head,
        head.header.timestamp + WALLET_EXPIRATION_SECONDS,
      ),
    );
    const result = included?.result;
    invariant(result?.type === 'object', 'a registration results in the identifier of the account');
    const account = accountOf({ id: accountId(result.id.instance), seed: key.seed, passphrase }, true);
    storage?.save([...this.created(), account]);
    this.put(account);
    return account.address;
  }

  /**
   * Unlocks an account for a duration. Does nothing for an impersonated address outside the wallet, which has no lock.
   *
   * @param durationSeconds whole seconds; 0: until it is locked; absent: the default, 300 s
   * @returns false for a wrong passphrase, which changes nothing
   * @throws WalletError `UNKNOWN_ACCOUNT`, `INVALID_DURATION`
   */
  unlock(address: Address, passphrase: string, durationSeconds?: number): boolean {
    if (this.impersonates(address) && !this.holds(address)) return true;
    const account = this.find(address);
    const until = this.unlockUntil(account, durationSeconds);
    if (passphrase !== account.passphrase) return false;
    account.unlockedUntil = until;
    return true;
  }

  /**
   * Signs a message as `eth_sign` does.
   *
   * @param passphrase required for a locked account
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`
   */
  signMessage(address: Address, message: Uint8Array, passphrase?: string): Uint8Array {
    return signPersonalMessage(this.findUsable(address, passphrase).seed, message);
  }

  /**
   * Signs a transaction as `send` does, without sending it.
   *
   * @param passphrase required for a locked account
   * @param later seconds added to the expiration, so that equal requests get different transactions
   * @throws as `send`
   */
  sign(request: TransactionRequest, passphrase?: string, later = 0): SignedTransaction {
    const { operation, keys } = this.#prepare(request, this.findUsable(request.from, passphrase));
    const head = this.#ledger.blocks.head();
    const expiration = head.header.timestamp + WALLET_EXPIRATION_SECONDS + later;
    return this.#ledger.pool.signatures.sign(operation, keys, head, expiration);
  }

  /**
   * Signs and sends a transaction of an account, or sends one of an impersonated address without a signature.
   *
   * @param passphrase required for a locked account, which stays locked; with it, the account itself signs
   * @returns the transaction's hash: of the processed transaction if it is in a block already
   * @throws WalletError `UNKNOWN_ACCOUNT`, `LOCKED`, `WRONG_PASSPHRASE`, `INVALID_AMOUNT`
   * @throws RefusedError, ExecutionRevertedError from the ledger; nothing was sent then
   */
  send(request: TransactionRequest, passphrase?: string): Hash {
    if (passphrase === undefined && this.impersonates(request.from)) return this.sendUnsigned(request);
    const account = this.findUsable(request.from, passphrase);
    // Signed operations have no dust: a test call sends it, and charges the account.
    if ((request.dust ?? 0n) > 0n) return this.#sendTestCall(request, true);
    const { operation, keys } = this.#prepare(request, account);
    return this.#submitter.submit(operation, (head, expiration) =>
      this.#ledger.pool.signatures.sign(operation, keys, head, expiration),
    );
  }

  /**
   * Sends a transaction of any address without a signature, as a test call.
   *
   * @param isCharged true if the sender pays for the gas: only on a chain with Ethereum
   * @returns as {@link Wallet.send}
   * @throws WalletError `UNKNOWN_ACCOUNT` for the EVM address of an account, `INVALID_AMOUNT`
   * @throws RefusedError, ExecutionRevertedError from the ledger; nothing was sent then
   */
  sendUnsigned(request: TransactionRequest, isCharged = false): Hash {
    this.refuseEvmAddress(request.from);
    return this.#sendTestCall(request, isCharged);
  }

  /**
   * Rejects an address that is only the EVM address of an account; the message has the account's address.
   *
   * @throws WalletError `UNKNOWN_ACCOUNT`
   */
  refuseEvmAddress(address: Address): void {
    const known =
      this.#ledger.accounts.accountByAddress(address) ?? this.#ledger.accounts.contractIdAt(address);
    const owner = known === undefined ? this.#ledger.accounts.accountByEvmAddress(address) : undefined;
    if (owner === undefined) return;
    throw new WalletError(
      'UNKNOWN_ACCOUNT',
      `unknown account ${toPrefixedHex(address)}: it is the EVM address of the account ` +
        `${toPrefixedHex(accountAddress(owner))}: give that address`,
    );
  }

  #sendTestCall(request: TransactionRequest, isCharged: boolean): Hash {
    // Rejects invalid amounts before the cost of an estimate.
    const withoutGas = testCallOf(request, isCharged);
    const gas = request.gas ?? estimateOf(request, this.#ledger, !isCharged);
    const call = { ...withoutGas, gas };
    return this.#submitter.submit(call, (head, expiration) => unsignedTransaction(call, head, expiration));
  }

  /**
   * Allows `send` to send transactions of an address without its key.
   *
   * @returns false if it is allowed already
   * @throws WalletError `UNKNOWN_ACCOUNT` for the EVM address of an account, `TOO_MANY_IMPERSONATED`
   * @throws WalletFileError when it cannot be stored
   */
  impersonate(address: Address): boolean {
    this.refuseEvmAddress(address);
    return this.impersonation.add(address);
  }

  /** Returns the operation of a request with a fee, and the keys that sign it. */
  #prepare(request: TransactionRequest, account: WalletAccount): { operation: Operation; keys: KeyPair } {
    account.keys ??= createKeyPair(account.seed);
    // Rejects an invalid receiver before the cost of an estimate.
    const operation = operationOf(request, account.id, this.#ledger);
    if (request.gas !== undefined) return { operation, keys: account.keys };
    const gas = estimateOf(request, this.#ledger);
    return { operation: operationOf({ ...request, gas }, account.id, this.#ledger), keys: account.keys };
  }

  /** Removes accounts with a reverted registration. */
  #handleReorg(): void {
    this.#submitter.handleReorg();
    const removed = this.created().filter((account) => !this.#isRegistered(account));
    if (removed.length === 0) return;
    for (const account of removed) this.remove(account);
    this.#options.storage?.save(this.created());
  }

  /** True if the account at this address is registered with this key. */
  #isRegistered({ address, seed }: Pick<WalletAccount, 'address' | 'seed'>): boolean {
    const registered = this.#ledger.accounts.accountByAddress(address)?.evmAddress;
    return registered !== undefined && equalBytes(registered, evmAddressOf(seed));
  }

  protected override refusal(code: WalletErrorCode, address: Address): WalletError {
    const name = toPrefixedHex(address);
    if (code === 'LOCKED') return new WalletError(code, `account ${name} is locked`);
    if (code === 'WRONG_PASSPHRASE') return new WalletError(code, `wrong passphrase for account ${name}`);
    this.refuseEvmAddress(address);
    return new WalletError(code, `unknown account ${name}: it is not in the wallet`);
  }
}

function accountOf({ id, seed, passphrase }: StoredAccount, created: boolean): WalletAccount {
  const unlockedUntil = created ? undefined : Number.POSITIVE_INFINITY;
  return { id, seed, passphrase, address: accountAddress(id), keys: undefined, created, unlockedUntil };
}
