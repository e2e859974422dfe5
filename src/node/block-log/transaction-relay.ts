import { TRANSACTION_BYTES_MAX } from '../../consensus.ts';
import { PENDING_TRANSACTIONS_MAX, RefusedError } from '../../ledger/index.ts';
import { DecodeError, FormatError, hexIdOf, type SignedTransaction } from '../../protocol/index.ts';
import type { BlockLogStatus } from '../../rpc/index.ts';
import { WRITE_SLICE_MS } from '../../time/job.ts';
import { yieldToEventLoop } from '../../time/time.ts';
import type { ClusterNode } from './block-log.ts';
import { decodeRelayed, encodeRelayed } from './relayed-transaction.ts';

/** Other nodes' transactions that are queued for their check, and their bytes (16 MiB). */
export const RELAY_QUEUE_MAX = 4_096;
const RELAY_QUEUE_BYTES_MAX = 16 * 1024 * 1024;
/** Milliseconds between two checks for transactions to resend, and the age at which one is resent. */
const RELAY_CHECK_MS = 500;
const RELAY_RESEND_MS = 2_000;
/** Transactions that one check resends, and their bytes (1 MiB). */
const RELAY_RESEND_MAX = 256;
const RELAY_RESEND_BYTES_MAX = 1024 * 1024;

/**
 * Relays transactions between nodes. A node publishes each transaction that it accepted, and repeats it until it is no
 * longer pending: included, expired or rejected. Transactions of other nodes are submitted to this node's pool. After a
 * start this node publishes all pending transactions.
 */
export class TransactionRelay {
  readonly #node: ClusterNode;
  readonly #counts = {
    published: 0,
    republished: 0,
    received: 0,
    taken: 0,
    known: 0,
    refused: 0,
    dropped: 0,
  };
  /** Accepted transactions by id in hexadecimal, the least recently sent first; no more than are pending. */
  readonly #accepted = new Map<
    string,
    { readonly transaction: SignedTransaction; readonly sentAt: number }
  >();
  readonly #received: Uint8Array[] = [];
  #receivedBytes = 0;
  #isSubmitting = false;
  /** True while a transaction of another node is submitted, since that node repeats it. */
  #isRelayed = false;
  #isStopped = false;
  #stops: readonly (() => void)[] = [];

  constructor(node: ClusterNode) {
    this.#node = node;
  }

  start(): void {
    const { ledger, exchange, time } = this.#node;
    for (const transaction of ledger.pool.pendingTransactions()) this.#publish(transaction);
    this.#stops = [
      ledger.pool.onPending((transaction) => this.#isRelayed || this.#publish(transaction)),
      exchange.onMessage((bytes) => this.#receive(bytes)),
      time.every(RELAY_CHECK_MS, () => this.#republish()),
    ];
  }

  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
  }

  status(): BlockLogStatus['transactions'] {
    return { ...this.#counts };
  }

  #publish(transaction: SignedTransaction): void {
    this.#counts.published += 1;
    this.#send(transaction);
  }

  /** Sends a transaction, which becomes the most recently sent one. Returns its length in bytes. */
  #send(transaction: SignedTransaction, id = hexIdOf(transaction)): number {
    const { exchange, time, ledger } = this.#node;
    const bytes = encodeRelayed({ transaction, sidecar: ledger.blobs.bytesOf(transaction) });
    if (this.#accepted.size >= PENDING_TRANSACTIONS_MAX) this.#dropOutdated();
    this.#accepted.delete(id);
    this.#accepted.set(id, { transaction, sentAt: time.now() });
    exchange.publish(bytes);
    return bytes.length;
  }

  #dropOutdated(): void {
    for (const [id, { transaction }] of this.#accepted) {
      if (!this.#node.ledger.pool.isPending(transaction)) this.#accepted.delete(id);
    }
  }

  /** Repeats transactions that have been pending for long, within the bounds. */
  #republish(): void {
    const { ledger, time } = this.#node;
    const before = time.now() - RELAY_RESEND_MS;
    let sent = 0;
    let bytes = 0;
    for (const [id, { transaction, sentAt }] of this.#accepted) {
      if (sentAt > before || sent >= RELAY_RESEND_MAX || bytes >= RELAY_RESEND_BYTES_MAX) return;
      if (!ledger.pool.isPending(transaction)) {
        this.#accepted.delete(id);
        continue;
      }
      bytes += this.#send(transaction, id);
      sent += 1;
      this.#counts.republished += 1;
    }
  }

  #receive(bytes: Uint8Array): void {
    const counts = this.#counts;
    counts.received += 1;
    if (bytes.length > TRANSACTION_BYTES_MAX) {
      counts.refused += 1;
      return;
    }
    const isFull = this.#received.length >= RELAY_QUEUE_MAX;
    if (isFull || this.#receivedBytes + bytes.length > RELAY_QUEUE_BYTES_MAX) {
      counts.dropped += 1;
      return;
    }
    this.#received.push(bytes);
    this.#receivedBytes += bytes.length;
    if (!this.#isSubmitting) void this.#submitAll();
  }

  async #submitAll(): Promise<void> {
    const { time } = this.#node;
    this.#isSubmitting = true;
    await yieldToEventLoop(time);
    while (this.#received.length > 0 && !this.#isStopped) {
      this.#submitSlice(time.now() + WRITE_SLICE_MS);
      await yieldToEventLoop(time);
    }
    this.#isSubmitting = false;
  }

  /** Submits received transactions until a moment, and stores them together. */
  #submitSlice(end: number): void {
    const { ledger, time, onFailure } = this.#node;
    this.#isRelayed = true;
    try {
      ledger.pool.together(() => {
        let submitted = 0;
        for (const bytes of this.#received) {
          this.#submit(bytes);
          this.#receivedBytes -= bytes.length;
          submitted += 1;
          if (time.now() >= end) break;
        }
        this.#received.splice(0, submitted);
      });
    } catch (error) {
      onFailure('transactions of other nodes', error);
    } finally {
      this.#isRelayed = false;
    }
  }

  #submit(bytes: Uint8Array): void {
    const { ledger, onFailure } = this.#node;
    try {
      const { transaction, sidecar } = decodeRelayed(bytes);
      ledger.pool.submit(transaction, 'peer', sidecar && ledger.blobs.recordOf(transaction, sidecar));
      this.#counts.taken += 1;
    } catch (error) {
      if (error instanceof RefusedError) this.#counts[countOf(error)] += 1;
      else if (error instanceof DecodeError || error instanceof FormatError) this.#counts.refused += 1;
      else onFailure('transactions of other nodes', error);
    }
  }
}

const KNOWN: readonly string[] = ['alreadyPending', 'alreadyIncluded', 'nonceTooLow'];
/** Temporary lacks of capacity: the other node repeats the transaction. */
const AT_CAPACITY: readonly string[] = ['pendingPoolFull', 'queueFull', 'writesPaused'];

function countOf({ reason: { code } }: RefusedError): 'known' | 'dropped' | 'refused' {
  if (KNOWN.includes(code)) return 'known';
  return AT_CAPACITY.includes(code) ? 'dropped' : 'refused';
}
