import { EXPIRATION_SECONDS_MAX } from '../../consensus.ts';
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
} from '../../protocol/index.ts';
import { systemTime, type Time } from '../../time/time.ts';
import { RegistrationError } from '../errors/chain-errors.ts';
import { RefusedError, refuse } from '../errors/refusal.ts';
import { type Inclusion, InclusionWatch } from '../inclusion.ts';
import type { Ledger } from '../ledger.ts';
import { accountCreateOf, isAccountName, type NewAccount } from '../operations/accounts.ts';
import { ACCOUNT_CREATE_FEE } from '../operations/operation-rules.ts';
import type { Submission } from '../pool/index.ts';
import { signTransaction } from '../transactions/signing.ts';
import { type RegistrationTask, RegistrationTasks } from './registration-task.ts';

/** Default leading zero bits in the proof of work of a registration. */
export const REGISTRATION_DIFFICULTY_DEFAULT = 20;
/** Milliseconds that a registration waits for its block before the response is that it is pending. */
export const REGISTRATION_BLOCK_TIMEOUT_MS = 30_000;

/** Seconds after which the pending transaction of a registration expires. */
const REGISTRATION_EXPIRATION_SECONDS = 60;

/** The part of a ledger that registration uses. */
export type RegistrationLedger = Pick<
  Ledger,
  'parameters' | 'blocks' | 'clock' | 'accounts' | 'pool' | 'chain'
>;

/** A solved task and the account to register, as a caller sends them: docs/interface.md#registration. */
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

/** Difficulty and clock of registrations. */
export interface RegistrationOptions {
  /** Zero bits that a solution needs. */
  readonly difficulty?: number;
  /** Absent: the system's. */
  readonly time?: Pick<Time, 'now' | 'after'>;
}

/** Registers accounts for proofs of work; the registrar pays (docs/interface.md#registration). */
export class RegistrationService {
  readonly #ledger: RegistrationLedger;
  readonly #keys: KeyPair;
  readonly #tasks: RegistrationTasks;
  readonly #watch: InclusionWatch;

  /** @param keys a key that satisfies the registrar's active authority */
  constructor(ledger: RegistrationLedger, keys: KeyPair, options: RegistrationOptions = {}) {
    this.#ledger = ledger;
    this.#keys = keys;
    const { difficulty = REGISTRATION_DIFFICULTY_DEFAULT, time = systemTime } = options;
    this.#tasks = new RegistrationTasks(ledger.blocks, { difficulty, time });
    this.#watch = new InclusionWatch(ledger, time);
  }

  /** Issues a task, valid for 120 s and for one account. */
  requestTask(): RegistrationTask {
    return this.#tasks.issue();
  }

  /**
   * Checks if an account could be registered with a name and an EVM address.
   * @param evmAddress 40 hexadecimal digits, with or without `0x`; null for none
   * @throws RegistrationError and RefusedError as `submit` does
   */
  check(name: string, evmAddress: string | null): void {
    this.#requireFreeName(name);
    this.#freeAddress(evmAddress);
  }

  /**
   * Registers the account of a solved task and waits until it is in a block. A refused solution leaves the task
   * as it was.
   * @returns the account's native address
   * @throws RegistrationError, and RefusedError for a name, an EVM address or a transaction that the ledger does
   *   not allow
   */
  async submit(solution: RegistrationSolution): Promise<Address> {
    const task = this.#tasks.find(solution.randNum);
    const account = this.#checkSolution(solution, task);
    const transaction = this.#sign(account);
    const { hash } = this.#submit(transaction, account.name);
    const putBack = this.#tasks.take(task);
    const inclusion = await this.#watch.wait(transaction, hash, REGISTRATION_BLOCK_TIMEOUT_MS);
    if (inclusion.kind === 'dropped') putBack();
    if (inclusion.kind !== 'included') throw registrationFailure(inclusion);
    const { result } = inclusion.operation;
    invariant(result.type === 'object', 'a registration results in the identifier of the account');
    return accountAddress(accountId(result.id.instance));
  }

  /** Ends every wait for a block: those registrations stay pending. */
  close(): void {
    this.#watch.close();
  }

  /** Checks everything that does not need the transaction, in the order of the reported errors. */
  #checkSolution(solution: RegistrationSolution, task: RegistrationTask): NewAccount {
    const { blockId, randNum, difficulty } = task;
    if (!solves(blockId, randNum, solution.nonce, difficulty)) {
      throw new RegistrationError(
        'WRONG_NONCE',
        `wrong nonce: the hash of the proof of work does not begin with ${difficulty} zero bits`,
      );
    }
    const { name } = solution;
    this.#requireFreeName(name);
    const activeKey = readKey(solution.activeKey, 'active key');
    const echorandKey = readKey(solution.echorandKey, 'consensus key');
    return { name, activeKey, echorandKey, evmAddress: this.#freeAddress(solution.evmAddress) };
  }

  #requireFreeName(name: string): void {
    if (!isAccountName(name)) refuse({ code: 'invalidName', name });
    if (this.#ledger.accounts.accountByName(name) !== undefined) refuse({ code: 'nameTaken', name });
  }

  #freeAddress(text: string | null): Address | undefined {
    const evmAddress = readEvmAddress(text);
    const owner =
      evmAddress === undefined ? undefined : this.#ledger.accounts.accountByEvmAddress(evmAddress);
    if (evmAddress === undefined || owner === undefined) return evmAddress;
    return refuse({ code: 'evmAddressTaken', evmAddress, account: owner });
  }

  /**
   * Signs the registration. The head block may be old if blocks are rare: the transaction must outlive the next one.
   */
  #sign(account: NewAccount): SignedTransaction {
    const { chainId, registrar } = this.#ledger.parameters;
    const head = this.#ledger.blocks.head();
    const { timestamp } = head.header;
    const expiration = Math.min(
      Math.max(timestamp, this.#ledger.clock.now()) + REGISTRATION_EXPIRATION_SECONDS,
      timestamp + EXPIRATION_SECONDS_MAX,
    );
    const operation = accountCreateOf(account, registrar, ACCOUNT_CREATE_FEE);
    return signTransaction(operation, this.#keys, chainId, head, expiration);
  }

  /** Submits the registration. An equal pending transaction registers the same account, so its name is taken. */
  #submit(transaction: SignedTransaction, name: string): Submission {
    try {
      return this.#ledger.pool.submit(transaction);
    } catch (error) {
      if (error instanceof RefusedError && error.reason.code === 'alreadyPending') {
        refuse({ code: 'nameTaken', name });
      }
      throw error;
    }
  }
}

/** Returns the error of a registration that is in no block. */
function registrationFailure(inclusion: Exclude<Inclusion, { kind: 'included' }>): RegistrationError {
  switch (inclusion.kind) {
    case 'dropped': {
      const { error } = inclusion;
      const message = `the registration was dropped: ${error.message}`;
      return new RegistrationError('DROPPED', message, { cause: error });
    }
    case 'late':
      return new RegistrationError(
        'NO_BLOCK',
        `no block came within ${REGISTRATION_BLOCK_TIMEOUT_MS / 1_000} s: the registration stays pending`,
      );
    case 'closed':
      return new RegistrationError(
        'CLOSED',
        'the node stops before the registration is in a block: the registration stays pending',
      );
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
