import { BoundedMap } from '../../caching/bounded-map.ts';
import {
  type Address,
  type EthereumTransaction,
  type Hash,
  numberToBytes,
  type PublicKey,
  recoverSender,
  type Signature,
  toAddress,
  verifySignature,
} from '../../protocol/index.ts';

/** Cached results of signature checks. */
export const SIGNATURE_CACHE_ENTRIES_MAX = 65_536;
/** Signature checks that other threads run, and whose results were not used yet: twice as many as those queue. */
const EXPECTED_CHECKS_MAX = 2_048;

/** The rules by which the signatures of a transaction are checked. */
export interface SignatureRules {
  /** The native chain id, which they cover. */
  readonly chainId: Hash;
  readonly signatures: SignatureChecks;
}

/** A check: an Ed25519 verification, or the recovery of an Ethereum address. */
export type SignatureCheck =
  | {
      readonly kind: 'verify';
      readonly key: Uint8Array;
      readonly digest: Uint8Array;
      readonly signature: Uint8Array;
    }
  | {
      readonly kind: 'recover';
      readonly digest: Uint8Array;
      readonly r: Uint8Array;
      readonly s: Uint8Array;
      readonly yParity: 0 | 1;
    };

/** A check that another thread may run. */
export interface QueuedCheck {
  /**
   * Takes the result: one byte for a valid signature, an address, or no bytes for an invalid one. Undefined if no
   * thread has begun the check: the caller runs it.
   */
  take(): Uint8Array | undefined;
}

/** Threads that run checks before their results are needed. */
export interface SignatureThreads {
  /** Queues a check; undefined without room for it. */
  queue(check: SignatureCheck): QueuedCheck | undefined;
}

/** Numbers of checks that were run, without those of cached results. */
export interface SignatureCounts {
  /** By the thread of the ledger. */
  readonly own: number;
  /** By other threads. */
  readonly ahead: number;
}

const WORD_BYTES = 32;

/**
 * A bounded cache of signature checks for one ledger. A transaction is checked on arrival, in its block, and whenever
 * pending transactions are executed again; the result depends only on its bytes. Checks that will be needed soon can be
 * run by other threads (`expect`): the results are the same.
 */
export class SignatureChecks {
  /** Outcomes by digest, signature and key, byte for byte. */
  readonly #outcomes = new BoundedMap<string, boolean>(SIGNATURE_CACHE_ENTRIES_MAX);
  readonly #threads: SignatureThreads | undefined;
  /** Queued verifications by the same names. */
  readonly #expected = new BoundedMap<string, QueuedCheck>(EXPECTED_CHECKS_MAX);
  readonly #expectedSenders = new WeakMap<EthereumTransaction, QueuedCheck>();
  readonly #counts = { own: 0, ahead: 0 };

  /** @param threads absent: all checks are run when their results are needed */
  constructor(threads?: SignatureThreads) {
    this.#threads = threads;
  }

  get counts(): SignatureCounts {
    return this.#counts;
  }

  /** Records a signature that this process has just made with a key, so that it is not checked. */
  recordMade(key: PublicKey, digest: Hash, signature: Signature): void {
    this.#outcomes.set(nameOf(key, digest, signature), true);
  }

  /** Queues a verification that will be needed soon. */
  expect(key: PublicKey, digest: Hash, signature: Signature): void {
    if (this.#threads === undefined) return;
    const name = nameOf(key, digest, signature);
    if (this.#outcomes.get(name) !== undefined || this.#expected.get(name) !== undefined) return;
    const queued = this.#threads.queue({ kind: 'verify', key, digest, signature });
    if (queued !== undefined) this.#expected.set(name, queued);
  }

  isSignedBy(key: PublicKey, digest: Hash, signature: Signature): boolean {
    const name = nameOf(key, digest, signature);
    const known = this.#outcomes.get(name);
    if (known !== undefined) return known;
    const result = this.#take(this.#expected.get(name));
    const outcome = result === undefined ? verifySignature(key, digest, signature) : result.length > 0;
    this.#outcomes.set(name, outcome);
    return outcome;
  }

  /** Queues the recovery of a sender that will be needed soon. */
  expectSender(transaction: EthereumTransaction): void {
    if (this.#expectedSenders.has(transaction)) return;
    const { signingHash: digest, r, s, yParity } = transaction;
    const words = { r: numberToBytes(r, WORD_BYTES), s: numberToBytes(s, WORD_BYTES) };
    const queued = this.#threads?.queue({ kind: 'recover', digest, ...words, yParity });
    if (queued !== undefined) this.#expectedSenders.set(transaction, queued);
  }

  /** Recovers the address that signed a transaction. @throws {FormatError} for an impossible signature */
  senderOf(transaction: EthereumTransaction): Address {
    const result = this.#take(this.#expectedSenders.get(transaction));
    // Without a key, the error is that of the recovery.
    return result === undefined || result.length === 0 ? recoverSender(transaction) : toAddress(result);
  }

  #take(expected: QueuedCheck | undefined): Uint8Array | undefined {
    const result = expected?.take();
    this.#counts[result === undefined ? 'own' : 'ahead'] += 1;
    return result;
  }
}

function nameOf(key: PublicKey, digest: Hash, signature: Signature): string {
  return Buffer.concat([digest, signature, key]).toString('latin1');
}
