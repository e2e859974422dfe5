import {
  type BlobSidecar,
  bytesToHex,
  checkSidecar,
  type Hash,
  isEthereumTransaction,
  parseSidecar,
  type SignedTransaction,
} from '../protocol/index.ts';
import { type SidecarRecord, StoreError } from '../store/index.ts';
import type { LedgerCore } from './core.ts';
import { readStored } from './errors/chain-errors.ts';
import { Listeners } from './listeners.ts';
import type { BlockQueries } from './queries/block-queries.ts';
import { blobTransactionHash, ethereumOperationIn, shortened } from './transactions/native-transaction.ts';

/** Bytes of all stored sidecars of blob transactions (4 GiB); beyond it the oldest included ones are removed. */
const BLOB_SIDECARS_BYTES_MAX = 4 * 1024 * 1024 * 1024;

/** A stored sidecar. */
interface Entry {
  readonly hash: Hash;
  readonly length: number;
  /** Number of the block that includes the transaction; undefined while it is pending. */
  readonly block?: number;
}

/** A blob transaction of a block, with its sidecar. */
export interface IncludedBlobs {
  readonly versionedHashes: readonly Hash[];
  /** Undefined if this node never had it, or has removed it. */
  readonly sidecar: BlobSidecar | undefined;
}

/**
 * The sidecars of blob transactions: stored with the transaction, kept while it is pending and for some blocks after
 * its block, then removed. They are no part of the chain: a node without one accepts the block.
 */
export class BlobSidecars {
  readonly #core: LedgerCore;
  readonly #blocks: Pick<BlockQueries, 'blockTransactions'>;
  /** Blocks after the inclusion of a transaction for which its sidecar is kept. */
  readonly #retention: number;
  /** By transaction hash in hexadecimal; those of included transactions in the order of their blocks. */
  readonly #pending = new Map<string, Entry>();
  readonly #included = new Map<string, Entry & { readonly block: number }>();
  readonly #failures = new Listeners<[error: StoreError]>();
  #bytes = 0;

  constructor(core: LedgerCore, blocks: Pick<BlockQueries, 'blockTransactions'>, retention: number) {
    this.#core = core;
    this.#blocks = blocks;
    this.#retention = retention;
    core.listeners.block.add(() => this.#update());
    core.listeners.dropped.add(() => this.#update());
  }

  /** Subscribes to failed removals, which the next block repeats. Returns the function that unsubscribes. */
  onFailure(listener: (error: StoreError) => void): () => void {
    return this.#failures.add(listener);
  }

  /** Lists the stored sidecars again, after the start or a reorganisation. */
  reload(): void {
    this.#pending.clear();
    this.#included.clear();
    this.#bytes = 0;
    if (this.#core.origin.rules.blobs === undefined) return;
    for (const { hash, length } of this.#core.store.sidecars()) this.noteAdded(hash, length);
    this.#findIncluded();
    const byBlock = [...this.#included].sort(([, one], [, other]) => one.block - other.block);
    this.#included.clear();
    for (const [name, entry] of byBlock) this.#included.set(name, entry);
  }

  /** Notes a sidecar that was stored with a transaction. */
  noteAdded(hash: Hash, length: number): void {
    this.#pending.set(bytesToHex(hash), { hash, length });
    this.#bytes += length;
  }

  /** Returns the sidecar of a pending or included transaction; undefined for none. */
  find(hash: Hash): BlobSidecar | undefined {
    const bytes = this.#core.store.sidecar(hash);
    return bytes && readStored(`the sidecar of ${bytesToHex(hash)}`, () => parseSidecar(bytes));
  }

  /** Returns the stored sidecar of a blob transaction; undefined for none, and for any other transaction. */
  bytesOf(transaction: SignedTransaction): Uint8Array | undefined {
    const hash = blobTransactionHash(transaction);
    return hash && this.#core.store.sidecar(hash);
  }

  /**
   * Reads the sidecar of a transaction from another node, which has verified its proofs.
   *
   * @returns undefined for another kind of transaction
   * @throws DecodeError, FormatError for a sidecar that has other blobs
   */
  recordOf(transaction: SignedTransaction, bytes: Uint8Array): SidecarRecord | undefined {
    const innerTransaction = ethereumOperationIn(transaction)?.innerTransaction;
    if (innerTransaction?.type !== 'blob') return undefined;
    checkSidecar(parseSidecar(bytes), innerTransaction.blobVersionedHashes);
    return { hash: innerTransaction.hash, bytes };
  }

  /** Lists the blob transactions of a block with their sidecars, in order. */
  ofBlock(number: number): IncludedBlobs[] {
    return this.#blocks.blockTransactions(number).flatMap(({ operation }) => {
      const transaction = isEthereumTransaction(operation) ? operation.innerTransaction : undefined;
      if (transaction?.type !== 'blob') return [];
      return [{ versionedHashes: transaction.blobVersionedHashes, sidecar: this.find(transaction.hash) }];
    });
  }

  /** Yields the stored sidecars, the newest first. */
  *all(): Generator<BlobSidecar> {
    const entries = [...this.#included.values(), ...this.#pending.values()];
    for (const { hash } of entries.reverse()) {
      const sidecar = this.find(hash);
      if (sidecar !== undefined) yield sidecar;
    }
  }

  /** Notes included transactions, and removes sidecars that are no longer kept. */
  #update(): void {
    if (this.#pending.size + this.#included.size === 0) return;
    const removed = this.#findIncluded();
    const oldest = this.#core.chain.head().number - this.#retention;
    let bytes = this.#bytes;
    for (const entry of this.#included.values()) {
      if (entry.block > oldest && bytes <= BLOB_SIDECARS_BYTES_MAX) break;
      removed.push(entry);
      bytes -= entry.length;
    }
    if (removed.length > 0) this.#remove(removed);
  }

  /** Notes the blocks of transactions that are pending no longer. Returns those without a block. */
  #findIncluded(): Entry[] {
    const { chain, pool } = this.#core;
    const dropped: Entry[] = [];
    for (const [name, entry] of this.#pending) {
      const short = shortened(entry.hash);
      if (pool.index.find(short) !== undefined) continue;
      const block = chain.positionsOf(short).at(-1)?.block;
      if (block === undefined) dropped.push(entry);
      else {
        this.#pending.delete(name);
        this.#included.set(name, { ...entry, block });
      }
    }
    return dropped;
  }

  /** Removes sidecars. A failed commit is reported, and does not fail the block: the next update repeats it. */
  #remove(removed: readonly Entry[]): void {
    try {
      this.#core.store.removeSidecars(removed.map(({ hash }) => hash));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#failures.notify(error);
      return;
    }
    for (const { hash, length } of removed) {
      const name = bytesToHex(hash);
      this.#included.delete(name);
      this.#pending.delete(name);
      this.#bytes -= length;
    }
  }
}
