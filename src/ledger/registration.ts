import {
  EXPIRATION_SECONDS_MAX,
  REGISTRATION_DIFFICULTY_DEFAULT,
  REGISTRATION_EXPIRATION_SECONDS,
} from '../limits.ts';
import {
  type Address,
  accountAddress,
  accountId,
  FormatError,
  hexToBytes,
  invariant,
  type KeyPair,
  type PublicKey,
  parsePublicKey,
  type SignedTransaction,
  solves,
  toAddress,
} from '../protocol/index.ts';
import { RegistrationError } from './errors.ts';
import { ACCOUNT_CREATE_FEE } from './fees.ts';
import { InclusionWatch } from './inclusion.ts';
import type { Ledger, Submission } from './ledger.ts';
import { accountCreateOf, type NewAccount } from './new-account.ts';
import { isAccountName } from './operations/account-create.ts';
import { RefusedError, refuse } from './refusal.ts';
import { type RegistrationTask, RegistrationTasks } from './registration-task.ts';
import { signTransaction } from './signing.ts';

/** What the desk needs of a ledger. */
export type RegistrationLedger = Pick<
  Ledger,
  | 'chainId'
  | 'registrar'
  | 'head'
  | 'now'
  | 'accountByName'
  | 'accountByEvmAddress'
  | 'submit'
  | 'findOperation'
  | 'onBlock'
  | 'onDropped'
>;

/** A solved task and the account that it is to pay for, as a caller sends them: specification 4.5. */
export interface RegistrationSolution {
  readonly name: string;
  /** Public key of the active authority, prefixed base58. */
  readonly activeKey: string;
  /** Consensus key, prefixed base58. */
  readonly echorandKey: string;
  /** 40 hexadecimal digits, with or without `0x`; null for none. */
  readonly evmAddress: string | null;
  /** A uint64. */
  readonly nonce: bigint;
  /** The random number of the task. */
  readonly randNum: bigint;
}

export interface RegistrationOptions {
  /** Zero bits that a task asks for. */
  readonly difficulty?: number;
  /** A clock that never goes back, in milliseconds from any origin. */
  now?(): number;
}

/** Registers accounts for proofs of work; the registrar of the chain's configuration pays (specification 4.5). */
export class RegistrationDesk {
  readonly #ledger: RegistrationLedger;
  readonly #keys: KeyPair;
  readonly #difficulty: number;
  readonly #tasks: RegistrationTasks;
  readonly #watch: InclusionWatch;

  /** @param keys a key that satisfies the registrar's active authority */
  constructor(ledger: RegistrationLedger, keys: KeyPair, options: RegistrationOptions = {}) {
    this.#ledger = ledger;
    this.#keys = keys;
    this.#difficulty = options.difficulty ?? REGISTRATION_DIFFICULTY_DEFAULT;
    this.#tasks = new RegistrationTasks(options.now ?? (() => performance.now()));
    this.#watch = new InclusionWatch(ledger);
  }

  /** Gives out a task, good for 120 s and for one account. */
  requestTask(): RegistrationTask {
    return this.#tasks.issue(this.#ledger.head().id, this.#difficulty);
  }

  /**
   * Registers the account of a solved task and waits until it is in a block. A refused solution leaves the task
   * as it was.
   *
   * @returns the account's native address
   * @throws RegistrationError, and RefusedError for a name, an EVM address or a transaction that the ledger does
   *   not allow
   */
  async submit(solution: RegistrationSolution): Promise<Address> {
    const task = this.#tasks.find(solution.randNum);
    const account = this.#check(solution, task);
    const transaction = this.#sign(account);
    const { hash } = this.#submit(transaction, account.name);
    const putBack = this.#tasks.take(task);
    const inclusion = await this.#watch.wait(transaction, hash);
    if (inclusion.kind === 'dropped') {
      putBack();
      const { error } = inclusion;
      throw new RegistrationError('DROPPED', `the registration was dropped: ${error.message}`, {
        cause: error,
      });
    }
    const { result } = inclusion.operation;
    invariant(result.type === 'object', 'a registration results in the identifier of the account');
    return accountAddress(accountId(result.id.instance));
  }

  /** Answers those who still wait for a block that their registration stays pending. */
  close(): void {
    this.#watch.close();
  }

  /** What can be checked without the transaction, in the order in which a caller is told. */
  #check(solution: RegistrationSolution, task: RegistrationTask): NewAccount {
    const { blockId, randNum, difficulty } = task;
    if (!solves(blockId, randNum, solution.nonce, difficulty)) {
      throw new RegistrationError(
        'WRONG_NONCE',
        `wrong nonce: the hash of the proof of work does not begin with ${difficulty} zero bits`,
      );
    }
    const { name } = solution;
    if (!isAccountName(name)) refuse({ code: 'invalidName', name });
    if (this.#ledger.accountByName(name) !== undefined) refuse({ code: 'nameTaken', name });
    const activeKey = readKey(solution.activeKey, 'active key');
    const echorandKey = readKey(solution.echorandKey, 'consensus key');
    const evmAddress = readEvmAddress(solution.evmAddress);
    const owner = evmAddress === undefined ? undefined : this.#ledger.accountByEvmAddress(evmAddress);
    if (evmAddress !== undefined && owner !== undefined) {
      refuse({ code: 'evmAddressTaken', evmAddress, account: owner });
    }
    return { name, activeKey, echorandKey, evmAddress };
  }

  /** The head block may be old where blocks come rarely: the transaction must live beyond the next one. */
  #sign(account: NewAccount): SignedTransaction {
    const { chainId, registrar } = this.#ledger;
    const head = this.#ledger.head();
    const { timestamp } = head.header;
    const expiration = Math.min(
      Math.max(timestamp, this.#ledger.now()) + REGISTRATION_EXPIRATION_SECONDS,
      timestamp + EXPIRATION_SECONDS_MAX,
    );
    const operation = accountCreateOf(account, registrar, ACCOUNT_CREATE_FEE);
    return signTransaction(operation, this.#keys, chainId, head, expiration);
  }

  /** An equal transaction that waits for its block is the same account, so its name is taken. */
  #submit(transaction: SignedTransaction, name: string): Submission {
    try {
      return this.#ledger.submit(transaction);
    } catch (error) {
      if (error instanceof RefusedError && error.reason.code === 'alreadyPending') {
        refuse({ code: 'nameTaken', name });
      }
      throw error;
    }
  }
}

function readKey(text: string, field: string): PublicKey {
  try {
    return parsePublicKey(text, field);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new RegistrationError('INVALID_KEY', `invalid ${cause.message}`, { cause });
  }
}

function readEvmAddress(text: string | null): Address | undefined {
  if (text === null) return undefined;
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (/^[0-9a-f]{40}$/i.test(digits)) return toAddress(hexToBytes(digits));
  throw new RegistrationError(
    'INVALID_EVM_ADDRESS',
    'invalid EVM address: expected 0x and 40 hexadecimal digits, or null',
  );
}
