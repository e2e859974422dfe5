import {
  bytesToHex,
  decode,
  type Hash,
  hexIdOf,
  invariant,
  type OperationHash,
  operationHashes,
  type SignedTransaction,
  senderAddress,
  signedTransactionCodec,
} from '../../protocol/index.ts';
import type { PendingRecord, StoreReader } from '../../store/index.ts';
import type { PendingPosition } from '../core.ts';
import { readStored } from '../errors/chain-errors.ts';
import {
  authoritiesOf,
  blobTransactionHash,
  ethereumOperationIn,
  type SenderNonce,
  senderNonceOf,
  shortened,
} from '../transactions/native-transaction.ts';
import { FairShares } from './fair-shares.ts';

/** Pending transactions. */
export const PENDING_TRANSACTIONS_MAX = 10_000;
/** Bytes of all pending transactions (64 MiB). */
export const PENDING_BYTES_MAX = 64 * 1024 * 1024;
/** Gas of all pending transactions, which one may exceed. A block's share of it is bounded by time. */
export const PENDING_GAS_MAX = 500_000_000n;

/** A transaction that is queued behind a nonce gap. */
export interface Queued {
  readonly id: string;
  readonly senderNonce: SenderNonce;
  /** Moment at which it was queued, by the pool's time. */
  readonly since: number;
}

function senderNonceKey({ sender, nonce }: SenderNonce): string {
  return `${bytesToHex(sender)}:${nonce}`;
}

/** Ethereum transactions that are queued behind a nonce gap, by sender. */
class NonceQueue {
  readonly #bySender = new Map<string, Map<bigint, Queued>>();
  readonly #ids = new Set<string>();
  /** Counts of them by sender. */
  readonly shares = new FairShares();

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Returns the oldest transaction of a sender. */
  oldestOf(sender: string): Queued | undefined {
    const [oldest] = this.#bySender.get(sender)?.values() ?? [];
    return oldest;
  }

  add(queued: Queued): void {
    const { sender, nonce } = queued.senderNonce;
    const name = bytesToHex(sender);
    const ofSender = this.#bySender.get(name) ?? new Map<bigint, Queued>();
    this.#bySender.set(name, ofSender);
    ofSender.set(nonce, queued);
    this.#ids.add(queued.id);
    this.shares.change(name, 1);
  }

  remove({ id, senderNonce: { sender, nonce } }: Pick<Queued, 'id' | 'senderNonce'>): void {
    if (!this.#ids.delete(id)) return;
    const name = bytesToHex(sender);
    const ofSender = this.#bySender.get(name);
    ofSender?.delete(nonce);
    if (ofSender?.size === 0) this.#bySender.delete(name);
    this.shares.change(name, -1);
  }

  /** Yields the transaction of each sender with the lowest nonce. */
  *firstOfEach(): Iterable<Queued> {
    for (const ofSender of [...this.#bySender.values()]) {
      let first: Queued | undefined;
      for (const queued of ofSender.values()) {
        if (first === undefined || queued.senderNonce.nonce < first.senderNonce.nonce) first = queued;
      }
      if (first !== undefined) yield first;
    }
  }

  /** Lists the transactions queued before a moment. */
  olderThan(moment: number): Queued[] {
    return [...this.#bySender.values()].flatMap((ofSender) =>
      [...ofSender.values()].filter(({ since }) => since < moment),
    );
  }
}

/** A pending or queued transaction. */
export interface PendingTransaction {
  /** Its id in hexadecimal. */
  readonly id: string;
  readonly transaction: SignedTransaction;
  readonly sequence: number;
  /** Length of its encoding, and of its sidecar. */
  readonly size: number;
  /** The hashes of its operations in hexadecimal, and of its inner Ethereum transaction. */
  readonly operationHashes: readonly string[];
  /** Sender and nonce of the inner Ethereum transaction; undefined without one. */
  readonly senderNonce: SenderNonce | undefined;
  /** Address of the payer of its first operation, in hexadecimal. */
  readonly holder: string;
  /** Accounts whose authorizations its inner Ethereum transaction has, in hexadecimal. */
  readonly authorities: readonly string[];
  /** Gas that it used when it was executed last; 0 before the first time. */
  gasUsed: bigint;
}

interface HolderTransactions {
  /** By id, in order of arrival. */
  readonly all: Map<string, PendingTransaction>;
  /** The one with the highest nonce. */
  highest: PendingTransaction | undefined;
}

/** Returns the number of binary digits of an amount: amounts of a level are within a factor of two. */
const digitsOf = (amount: number): number => 32 - Math.clz32(amount);

/** All pending transactions, with their indexes and totals. */
export class PoolIndex {
  /** Number of additions, removals and promotions so far. */
  #changes = 0;
  readonly #all = new Map<string, PendingTransaction>();
  readonly #operations = new Map<string, PendingPosition>();
  readonly #bySenderNonce = new Map<string, PendingTransaction>();
  /** Those that are queued behind a nonce gap. */
  readonly queue = new NonceQueue();
  readonly #byHolder = new Map<string, HolderTransactions>();
  /** Number of transactions with an authorization of each account. */
  readonly #authorities = new Map<string, number>();
  /** Shares of holders in the bounded resources: transactions, bytes, and gas used last. */
  readonly shares = {
    count: new FairShares(),
    bytes: new FairShares(digitsOf),
    gas: new FairShares(digitsOf),
  };

  get size(): number {
    return this.#all.size;
  }

  /** A text that differs once others can be executed, or in another order. */
  get version(): string {
    return `${this.#changes} ${this.queue.size}`;
  }

  /** Number of transactions that are not queued. */
  get readyCount(): number {
    return this.#all.size - this.queue.size;
  }

  /** Iterates over all in order, later additions included. */
  each(): Iterator<PendingTransaction> {
    return this.#all.values();
  }

  get(id: string): PendingTransaction | undefined {
    return this.#all.get(id);
  }

  has(transaction: SignedTransaction): boolean {
    return this.#all.size > 0 && this.#all.has(hexIdOf(transaction));
  }

  /** Lists all in order, queued ones included. */
  all(): PendingTransaction[] {
    return [...this.#all.values()];
  }

  /** Lists all in order, without queued ones. */
  ready(): PendingTransaction[] {
    return this.queue.size === 0 ? this.all() : this.all().filter(({ id }) => !this.queue.has(id));
  }

  /** Lists the queued ones, in order. */
  queued(): PendingTransaction[] {
    return this.queue.size === 0 ? [] : this.all().filter(({ id }) => this.queue.has(id));
  }

  find(hash: OperationHash): PendingPosition | undefined {
    return this.#operations.get(bytesToHex(hash));
  }

  at(senderNonce: SenderNonce): PendingTransaction | undefined {
    return this.#bySenderNonce.size === 0 ? undefined : this.#bySenderNonce.get(senderNonceKey(senderNonce));
  }

  /** Returns the first nonce, from a given one on, that no transaction of a sender has. */
  nextNonce({ sender, nonce }: SenderNonce): bigint {
    let next = nonce;
    while (this.at({ sender, nonce: next }) !== undefined) next += 1n;
    return next;
  }

  keep(added: PendingTransaction): void {
    this.#changes += 1;
    this.#all.set(added.id, added);
    this.#hold(added);
    this.#countAuthorities(added, 1);
    if (added.senderNonce !== undefined) this.#bySenderNonce.set(senderNonceKey(added.senderNonce), added);
    const { transaction } = added;
    added.operationHashes.forEach((hash, index) => {
      const position = { transaction, index: Math.min(index, transaction.operations.length - 1) };
      if (!this.#operations.has(hash)) this.#operations.set(hash, position);
    });
  }

  remove(id: string): PendingTransaction | undefined {
    const removed = this.#all.get(id);
    if (removed === undefined) return undefined;
    this.#changes += 1;
    this.#all.delete(id);
    const { senderNonce } = removed;
    if (senderNonce !== undefined) {
      const key = senderNonceKey(senderNonce);
      if (this.#bySenderNonce.get(key) === removed) this.#bySenderNonce.delete(key);
      this.queue.remove({ id, senderNonce });
    }
    this.#release(removed);
    this.#countAuthorities(removed, -1);
    for (const hash of removed.operationHashes) {
      if (this.#operations.get(hash)?.transaction === removed.transaction) this.#operations.delete(hash);
    }
    return removed;
  }

  /** Returns true for an account with a pending authorization, in hexadecimal. */
  isAuthority(account: string): boolean {
    return this.#authorities.size > 0 && this.#authorities.has(account);
  }

  #countAuthorities({ authorities }: PendingTransaction, change: 1 | -1): void {
    for (const authority of authorities) {
      const count = (this.#authorities.get(authority) ?? 0) + change;
      if (count === 0) this.#authorities.delete(authority);
      else this.#authorities.set(authority, count);
    }
  }

  /** Records the gas that a transaction used when it was executed. */
  recordGas(pending: PendingTransaction, gasUsed: bigint): void {
    this.shares.gas.change(pending.holder, Number(gasUsed - pending.gasUsed));
    pending.gasUsed = gasUsed;
  }

  /**
   * Returns the transaction of a holder to evict first: the oldest; of an Ethereum sender the highest nonce, since
   * later nonces could not be executed without it.
   */
  evictionCandidate(holder: string | undefined): PendingTransaction | undefined {
    const held = holder === undefined ? undefined : this.#byHolder.get(holder);
    const [oldest] = held?.all.values() ?? [];
    return oldest?.senderNonce === undefined ? oldest : held?.highest;
  }

  /** Yields the eviction candidate of each holder. */
  *evictionCandidates(): Iterable<PendingTransaction> {
    for (const holder of this.#byHolder.keys()) {
      const candidate = this.evictionCandidate(holder);
      if (candidate !== undefined) yield candidate;
    }
  }

  #hold(added: PendingTransaction): void {
    const { id, holder, senderNonce, size, gasUsed } = added;
    const held: HolderTransactions = this.#byHolder.get(holder) ?? { all: new Map(), highest: undefined };
    this.#byHolder.set(holder, held);
    held.all.set(id, added);
    const highest = held.highest?.senderNonce?.nonce ?? -1n;
    if (senderNonce !== undefined && senderNonce.nonce > highest) held.highest = added;
    this.#share(holder, 1, size, Number(gasUsed));
  }

  #release({ id, holder, senderNonce, size, gasUsed }: PendingTransaction): void {
    const held = this.#byHolder.get(holder);
    held?.all.delete(id);
    if (held?.all.size === 0) this.#byHolder.delete(holder);
    else if (held?.highest?.id === id && senderNonce !== undefined) {
      const below = this.at({ sender: senderNonce.sender, nonce: senderNonce.nonce - 1n });
      held.highest = below ?? highestOf(held.all.values());
    }
    this.#share(holder, -1, -size, -Number(gasUsed));
  }

  #share(holder: string, count: number, bytes: number, gas: number): void {
    this.shares.count.change(holder, count);
    this.shares.bytes.change(holder, bytes);
    this.shares.gas.change(holder, gas);
  }

  /** Promotes a queued transaction: it becomes pending, behind all others. */
  promote(pending: PendingTransaction): void {
    this.#changes += 1;
    if (pending.senderNonce !== undefined)
      this.queue.remove({ id: pending.id, senderNonce: pending.senderNonce });
    this.#all.delete(pending.id);
    this.#all.set(pending.id, pending);
  }
}

/** Returns the transaction with the highest nonce. */
function highestOf(some: Iterable<PendingTransaction>): PendingTransaction | undefined {
  let highest: PendingTransaction | undefined;
  for (const one of some) {
    if (one.senderNonce !== undefined && one.senderNonce.nonce > (highest?.senderNonce?.nonce ?? -1n))
      highest = one;
  }
  return highest;
}

/** Returns the holder of a transaction: see {@link PendingTransaction.holder}. */
export function holderOf({ operations }: Pick<SignedTransaction, 'operations'>): string {
  const [first] = operations;
  invariant(first !== undefined, 'a transaction has operations');
  return bytesToHex(senderAddress(first));
}

/** Makes the pool's entry of a stored transaction. @param sidecarBytes length of its sidecar */
export function pendingTransaction(
  { sequence, bytes }: PendingRecord,
  transaction: SignedTransaction,
  sidecarBytes = 0,
): PendingTransaction {
  const hashes = operationHashes(transaction).map(bytesToHex);
  const ethereumOperation = ethereumOperationIn(transaction);
  if (ethereumOperation !== undefined)
    hashes.push(bytesToHex(shortened(ethereumOperation.innerTransaction.hash)));
  return {
    id: hexIdOf(transaction),
    transaction,
    sequence,
    size: bytes.length + sidecarBytes,
    operationHashes: hashes,
    senderNonce: senderNonceOf(transaction),
    authorities: ethereumOperation === undefined ? [] : authoritiesOf(ethereumOperation),
    holder: holderOf(transaction),
    gasUsed: 0n,
  };
}

/** Returns the lengths of stored sidecars by their hashes, in hexadecimal. */
export function sidecarLengths(
  sidecars: Iterable<{ readonly hash: Hash; readonly length: number }>,
): ReadonlyMap<string, number> {
  return new Map(Array.from(sidecars, ({ hash, length }) => [bytesToHex(hash), length]));
}

/**
 * Decodes a stored pending transaction.
 * @param lengths result of `sidecarLengths`
 * @throws ChainDamagedError for a record that cannot be read
 */
export function readPendingTransaction(
  record: PendingRecord,
  lengths: ReadonlyMap<string, number>,
): PendingTransaction {
  const { sequence, bytes } = record;
  const read = () => decode(signedTransactionCodec, bytes);
  const transaction = readStored(`the pending transaction ${sequence}`, read);
  const hash = blobTransactionHash(transaction);
  return pendingTransaction(record, transaction, hash && lengths.get(bytesToHex(hash)));
}

/** Decodes all stored pending transactions. @throws as `readPendingTransaction` */
export function readPendingTransactions(
  store: Pick<StoreReader, 'pendingTransactions' | 'sidecars'>,
): PendingTransaction[] {
  const lengths = sidecarLengths(store.sidecars());
  return Array.from(store.pendingTransactions(), (record) => readPendingTransaction(record, lengths));
}
