import {
  bytesToHex,
  decode,
  invariant,
  type OperationHash,
  operationHash,
  type SignedTransaction,
  senderAddress,
  signedTransactionCodec,
  transactionId,
} from '../../protocol/index.ts';
import type { PendingRecord } from '../../store/index.ts';
import { ChainDamagedError } from '../errors/errors.ts';
import { envelopeIn, type SenderNonce, senderNonceOf, shortened } from './ethereum-envelope.ts';
import { FairShares } from './fair-shares.ts';

/** A transaction that waits for others of its sender. */
export interface Queued {
  readonly id: string;
  readonly senderNonce: SenderNonce;
  /** Moment at which it came to the queue, by the pool's time. */
  readonly since: number;
}

/** Returns the key of a sender and nonce. */
function senderNonceKey({ sender, nonce }: SenderNonce): string {
  return `${bytesToHex(sender)}:${nonce}`;
}

/** Transactions of Ethereum's that wait for those of lower nonces, by sender. */
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

  /** The one of a sender that came first. */
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

  /** The one of each sender that has the lowest nonce. */
  *firstOfEach(): Iterable<Queued> {
    for (const ofSender of [...this.#bySender.values()]) {
      let first: Queued | undefined;
      for (const queued of ofSender.values()) {
        if (first === undefined || queued.senderNonce.nonce < first.senderNonce.nonce) first = queued;
      }
      if (first !== undefined) yield first;
    }
  }

  /** Those that came before a moment. */
  olderThan(moment: number): Queued[] {
    return [...this.#bySender.values()].flatMap((ofSender) =>
      [...ofSender.values()].filter(({ since }) => since < moment),
    );
  }
}

/** The position of a pending operation. */
export interface PendingPosition {
  readonly transaction: SignedTransaction;
  /** Index of the operation in the transaction. */
  readonly index: number;
}

/** A transaction that waits. */
export interface PendingTransaction {
  /** Its id in hexadecimal. */
  readonly id: string;
  readonly transaction: SignedTransaction;
  /** Its number in the store. */
  readonly sequence: number;
  /** Length of its encoding. */
  readonly size: number;
  /** The hashes of its operations in hexadecimal, and of the transaction of Ethereum's that it carries. */
  readonly operationHashes: readonly string[];
  /** Sender and nonce of the inner Ethereum transaction; undefined without one. */
  readonly senderNonce: SenderNonce | undefined;
  /** Address of the payer of its first operation, in hexadecimal. */
  readonly holder: string;
  /** Gas that it used when it was executed last; 0 before the first time. */
  gasUsed: bigint;
}

/** The id of a transaction in hexadecimal, as a key of maps. */
export function hexIdOf(transaction: SignedTransaction): string {
  return bytesToHex(transactionId(transaction));
}

/** Transactions of a holder. */
interface Held {
  /** By id, in the order in which they came. */
  readonly all: Map<string, PendingTransaction>;
  /** The one with the highest nonce. */
  highest: PendingTransaction | undefined;
}

/** The number of an amount's binary digits: amounts of a level are within a factor of two. */
const digitsOf = (amount: number): number => 32 - Math.clz32(amount);

/** All pending transactions, with their indexes and totals. */
export class PendingTransactions {
  readonly #all = new Map<string, PendingTransaction>();
  readonly #operations = new Map<string, PendingPosition>();
  /** Those that carry Ethereum's transactions, by sender and nonce. */
  readonly #bySenderNonce = new Map<string, PendingTransaction>();
  /** Those of them that wait for lower nonces of their senders. */
  readonly queue = new NonceQueue();
  readonly #held = new Map<string, Held>();
  /** Shares of holders in the bounded resources: transactions, bytes, and gas used last. */
  readonly shares = {
    count: new FairShares(),
    bytes: new FairShares(digitsOf),
    gas: new FairShares(digitsOf),
  };

  get size(): number {
    return this.#all.size;
  }

  /** Counts those that do not wait for lower nonces. */
  get readyCount(): number {
    return this.#all.size - this.queue.size;
  }

  /** Walks over all in the order in which they wait, those that come meanwhile included. */
  each(): Iterator<PendingTransaction> {
    return this.#all.values();
  }

  has(id: string): boolean {
    return this.#all.has(id);
  }

  get(id: string): PendingTransaction | undefined {
    return this.#all.get(id);
  }

  /** In the order in which they wait, those that wait for lower nonces among them. */
  all(): PendingTransaction[] {
    return [...this.#all.values()];
  }

  /** In the order in which they wait, without those that wait for lower nonces. */
  ready(): PendingTransaction[] {
    return this.queue.size === 0 ? this.all() : this.all().filter(({ id }) => !this.queue.has(id));
  }

  /** Those that wait for lower nonces. */
  queued(): PendingTransaction[] {
    return this.queue.size === 0 ? [] : this.all().filter(({ id }) => this.queue.has(id));
  }

  find(hash: OperationHash): PendingPosition | undefined {
    return this.#operations.get(bytesToHex(hash));
  }

  /** Returns the transaction with a sender and nonce. */
  at(senderNonce: SenderNonce): PendingTransaction | undefined {
    return this.#bySenderNonce.size === 0 ? undefined : this.#bySenderNonce.get(senderNonceKey(senderNonce));
  }

  /** The first nonce from one on that none of a sender has. */
  nextNonce({ sender, nonce }: SenderNonce): bigint {
    let next = nonce;
    while (this.at({ sender, nonce: next }) !== undefined) next += 1n;
    return next;
  }

  keep(kept: PendingTransaction): void {
    this.#all.set(kept.id, kept);
    this.#hold(kept);
    if (kept.senderNonce !== undefined) this.#bySenderNonce.set(senderNonceKey(kept.senderNonce), kept);
    const { transaction } = kept;
    kept.operationHashes.forEach((hash, index) => {
      const position = { transaction, index: Math.min(index, transaction.operations.length - 1) };
      if (!this.#operations.has(hash)) this.#operations.set(hash, position);
    });
  }

  remove(id: string): PendingTransaction | undefined {
    const removed = this.#all.get(id);
    if (removed === undefined) return undefined;
    this.#all.delete(id);
    const { senderNonce } = removed;
    if (senderNonce !== undefined) {
      const key = senderNonceKey(senderNonce);
      if (this.#bySenderNonce.get(key) === removed) this.#bySenderNonce.delete(key);
      this.queue.remove({ id, senderNonce });
    }
    this.#release(removed);
    for (const hash of removed.operationHashes) {
      if (this.#operations.get(hash)?.transaction === removed.transaction) this.#operations.delete(hash);
    }
    return removed;
  }

  /** Notes what one used when it was executed. */
  noteGas(pending: PendingTransaction, gasUsed: bigint): void {
    this.shares.gas.change(pending.holder, Number(gasUsed - pending.gasUsed));
    pending.gasUsed = gasUsed;
  }

  /**
   * Returns the transaction of a holder to evict first: the oldest; of an Ethereum sender the highest nonce, since
   * later nonces could not be executed without it.
   */
  yieldingOf(holder: string): PendingTransaction | undefined {
    const held = this.#held.get(holder);
    const [oldest] = held?.all.values() ?? [];
    return oldest?.senderNonce === undefined ? oldest : held?.highest;
  }

  #hold(kept: PendingTransaction): void {
    const { id, holder, senderNonce, size, gasUsed } = kept;
    const held: Held = this.#held.get(holder) ?? { all: new Map(), highest: undefined };
    this.#held.set(holder, held);
    held.all.set(id, kept);
    const highest = held.highest?.senderNonce?.nonce ?? -1n;
    if (senderNonce !== undefined && senderNonce.nonce > highest) held.highest = kept;
    this.#share(holder, 1, size, Number(gasUsed));
  }

  #release({ id, holder, senderNonce, size, gasUsed }: PendingTransaction): void {
    const held = this.#held.get(holder);
    held?.all.delete(id);
    if (held?.all.size === 0) this.#held.delete(holder);
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

  /** One of the queue waits like any other from now on, behind those that it waited for. */
  leaveQueue(pending: PendingTransaction): void {
    if (pending.senderNonce !== undefined)
      this.queue.remove({ id: pending.id, senderNonce: pending.senderNonce });
    this.#all.delete(pending.id);
    this.#all.set(pending.id, pending);
  }
}

/** The one with the highest nonce, of those that have one. */
function highestOf(some: Iterable<PendingTransaction>): PendingTransaction | undefined {
  let highest: PendingTransaction | undefined;
  for (const one of some) {
    if (one.senderNonce !== undefined && one.senderNonce.nonce > (highest?.senderNonce?.nonce ?? -1n))
      highest = one;
  }
  return highest;
}

/** The holder of a transaction: see {@link PendingTransaction.holder}. */
export function holderOf({ operations }: Pick<SignedTransaction, 'operations'>): string {
  const [first] = operations;
  invariant(first !== undefined, 'a transaction has operations');
  return bytesToHex(senderAddress(first));
}

/** A transaction that begins to wait. */
export function pendingTransaction(
  { sequence, bytes }: PendingRecord,
  transaction: SignedTransaction,
): PendingTransaction {
  const { refBlockNum, refBlockPrefix, expiration, operations } = transaction;
  const operationHashes = operations.map((operation) =>
    bytesToHex(operationHash(operation, refBlockNum, refBlockPrefix, expiration)),
  );
  const carrier = envelopeIn(transaction);
  if (carrier !== undefined) operationHashes.push(bytesToHex(shortened(carrier.innerTransaction.hash)));
  return {
    id: hexIdOf(transaction),
    transaction,
    sequence,
    size: bytes.length,
    operationHashes,
    senderNonce: senderNonceOf(transaction),
    holder: holderOf(transaction),
    gasUsed: 0n,
  };
}

/**
 * Reads transactions as a store keeps them while they wait.
 * @throws ChainDamagedError for a record that cannot be read
 */
export function readPendingTransactions(records: Iterable<PendingRecord>): PendingTransaction[] {
  return Array.from(records, (record) => pendingTransaction(record, readRecord(record)));
}

function readRecord({ sequence, bytes }: PendingRecord): SignedTransaction {
  try {
    return decode(signedTransactionCodec, bytes);
  } catch (cause) {
    throw new ChainDamagedError(`the pending transaction ${sequence} cannot be read`, { cause });
  }
}
