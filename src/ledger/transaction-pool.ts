import { PENDING_RESTORE_MS_MAX } from '../limits.ts';
import {
  type Address,
  type ContractId,
  type EthereumTransactionFields,
  type Hash,
  impersonatedSignature,
  invariant,
  keccak256,
  pendingTransactionHash,
  processedTransactionHash,
  type SignedTransaction,
  serializeEthereumTransaction,
} from '../protocol/index.ts';
import type { SidecarRecord } from '../store/index.ts';
import type { BlobSidecars } from './blob-sidecars.ts';
import type { AddedBlock } from './blocks/block-build.ts';
import type { ChainWriter } from './blocks/chain-writer.ts';
import type { Production } from './blocks/production.ts';
import type { LedgerCore } from './core.ts';
import { refuse } from './errors/refusal.ts';
import type { ChainParameters } from './genesis/chain-parameters.ts';
import { feeCapOf } from './operations/ethereum-transaction.ts';
import { PendingState } from './pending-state.ts';
import type { ChainHistory, LedgerQueries } from './queries/ledger-queries.ts';
import {
  findEnvelope,
  findOperation,
  findTransaction,
  firstHash,
  type IncludedOperation,
  type PendingOperation,
  pendingHashes,
  pendingOperations,
} from './queries/operation-lookup.ts';
import { reloadChain } from './reload-chain.ts';
import { SubmittedSignatures } from './submitted-signatures.ts';
import {
  blobsIn,
  envelopeIn,
  ethereumEnvelope,
  innerTransactionOf,
  refuseUnsupportedBlobs,
  senderNonceOf,
} from './transactions/ethereum-envelope.ts';
import type { DroppedTransaction, PendingPool } from './transactions/pending-pool.ts';
import { readPendingTransactions } from './transactions/pending-transactions.ts';
import { unlessMissing } from './transactions/pool-state.ts';
import type { PricePolicy } from './transactions/prices.ts';
import { refuseTestOperations } from './transactions/transaction-checks.ts';

type QueriesWithHistory = LedgerQueries & { readonly history: ChainHistory };

/** An accepted transaction. */
export interface Submission {
  /** Transaction hash of the first operation: the processed form when it is in a block, else the pending form. */
  readonly hash: Hash;
}

/** Accepts transactions, and gives access to pending and queued ones. */
export class TransactionPool {
  /** The chain with pending transactions: the block `pending` of Ethereum's clients. */
  readonly pending: PendingState;
  /** The signature checks of submitted transactions. */
  readonly signatures: SubmittedSignatures;
  readonly #core: LedgerCore;
  readonly #writer: ChainWriter;
  readonly #production: Production;
  readonly #queries: QueriesWithHistory;
  readonly #sidecars: Pick<BlobSidecars, 'noteAdded'>;
  readonly #droppedOnOpen: DroppedTransaction[] = [];
  /** Notifications of submissions of `together` that are not stored yet; undefined outside of it. */
  #notifications: (() => void)[] | undefined;

  constructor(
    core: LedgerCore,
    writer: ChainWriter,
    production: Production,
    queries: QueriesWithHistory,
    sidecars: Pick<BlobSidecars, 'noteAdded'>,
  ) {
    this.#core = core;
    this.#sidecars = sidecars;
    this.#writer = writer;
    this.#production = production;
    this.#queries = queries;
    this.pending = new PendingState(core, queries);
    this.signatures = new SubmittedSignatures(core);
  }

  get #pool(): PendingPool {
    return this.#core.origin.pool;
  }

  /**
   * Accepts a transaction, or throws `RefusedError` and changes nothing. Only the node itself makes test calls, and
   * only other nodes send blob transactions without their sidecar.
   * @param sidecar of a blob transaction, which was verified
   */
  submit(
    transaction: SignedTransaction,
    maker: 'client' | 'node' | 'peer' = 'client',
    sidecar?: SidecarRecord,
  ): Submission {
    if (maker !== 'node') refuseTestOperations(transaction);
    const hasBlobs = blobsIn(transaction) > 0;
    const { blobs } = this.#core.origin.rules;
    const needsSidecar = maker === 'client' && hasBlobs && blobs !== undefined;
    if (needsSidecar && sidecar === undefined) refuse({ code: 'sidecarMissing' });
    this.#requirePrice(transaction);
    const isInstant = this.#isInstant(transaction);
    // A blob transaction becomes pending first: one commit stores it with its sidecar.
    if (isInstant && !hasBlobs) {
      const { summary, applied } = this.#addInOwnBlock(transaction);
      this.#production.minePending();
      return { hash: processedTransactionHash(summary.number, 0, firstHash(applied.operationHashes)) };
    }
    this.#writer.requireWriting();
    this.#production.requireProducing();
    this.#pool.add(transaction, sidecar, !isInstant);
    if (sidecar !== undefined) this.#sidecars.noteAdded(sidecar.hash, sidecar.bytes.length);
    const hashes = pendingHashes(transaction);
    this.#onceStored(() => {
      this.#writer.reportDropped();
      this.#core.listeners.accepted.notify(hashes);
      this.#core.listeners.pending.notify(transaction);
    });
    if (hasBlobs) this.#production.minePending();
    return { hash: firstHash(hashes) };
  }

  /**
   * Stores the pending transactions that an action submits in one commit, and notifies the listeners after it. Blocks
   * of the action are stored together too, if the store does so: the listeners know them before.
   * @throws as the action; the store's errors if the commit fails: none of the transactions is pending then, and the
   *   blocks are reverted
   */
  together<T>(action: () => T): T {
    if (this.#notifications !== undefined) return action();
    this.#notifications = [];
    const notifyStored = (): void => {
      for (const notify of this.#notifications?.splice(0) ?? []) notify();
    };
    let isLosing = false;
    const onLosing = (last: number): void => {
      isLosing = true;
      this.#core.listeners.reverting.notify(last);
    };
    try {
      return this.#pool.together(action, notifyStored, onLosing);
    } finally {
      this.#notifications = undefined;
      if (isLosing) this.#handleLoss();
    }
  }

  /** Continues from the head of the file, after blocks were lost whose commit failed. */
  #handleLoss(): void {
    const { store, origin } = this.#core;
    origin.pool.replaceAll(readPendingTransactions(store.pendingTransactions(), store.sidecars()));
    reloadChain(this.#core, this.#writer, this.#queries.history);
    this.#writer.reportDropped();
  }

  /** Calls the listeners of a transaction once it is stored. */
  #onceStored(notify: () => void): void {
    if (this.#notifications === undefined) notify();
    else this.#notifications.push(notify);
  }

  /** The node's policy for prices. */
  get prices(): PricePolicy {
    return this.#core.prices;
  }

  #requirePrice(transaction: SignedTransaction): void {
    const { minGasPrice: least } = this.#core.prices;
    const envelope = least === 0n ? undefined : envelopeIn(transaction);
    if (envelope === undefined) return;
    const feeCap = feeCapOf(envelope.innerTransaction);
    if (feeCap < least) refuse({ code: 'underpriced', feeCap, least });
  }

  /** Returns true if a transaction gets a block on arrival or is refused; false if it becomes pending or queued. */
  #isInstant(transaction: SignedTransaction): boolean {
    if (!this.#production.isInstant() || !this.#production.hasRoom(transaction)) return false;
    const senderNonce = senderNonceOf(transaction);
    if (senderNonce === undefined) return true;
    const isAhead = senderNonce.nonce > this.#queries.accounts.nonceOf(senderNonce.sender);
    return !isAhead && !this.#pool.isTaken(senderNonce);
  }

  /**
   * Makes a block of one transaction, without pending ones, whether or not mining is on. Returns its operations. Throws
   * `RefusedError` and changes nothing.
   */
  submitInOwnBlock(transaction: SignedTransaction): IncludedOperation[] {
    const { number } = this.#addInOwnBlock(transaction).summary;
    return this.#queries.blocks.blockTransactions(number);
  }

  #addInOwnBlock(transaction: SignedTransaction): AddedBlock {
    this.#writer.requireWriting();
    this.#production.requireProducing();
    this.#writer.finish();
    if (this.#pool.has(transaction)) refuse({ code: 'alreadyPending' });
    const added = this.#production.produceAlone(transaction);
    this.#core.listeners.accepted.notify(added.applied.operationHashes.map(pendingTransactionHash));
    this.#writer.announce(added);
    return added;
  }

  /** Drops the chosen pending and queued transactions; returns their number. */
  dropPending(isChosen: (transaction: SignedTransaction) => boolean): number {
    this.#writer.completeBlock();
    const dropped = this.#pool.drop(isChosen);
    this.#writer.reportDropped();
    return dropped;
  }

  /**
   * Checks and executes pending transactions that were not reached since the last block or the start, until a moment of
   * the ledger's time has come.
   * @returns true if there are more; false while a block is being added, which would discard the results
   */
  refreshPending(until: number): boolean {
    if (this.#writer.isAddingBlock) return false;
    const isMore = this.#pool.catchUp(until);
    this.#writer.reportDropped();
    return isMore;
  }

  /**
   * Restores the stored pending transactions; with instant production they get their blocks at once, or on a forked
   * chain by `minePending` once their entries are here.
   */
  restore(milliseconds: number = PENDING_RESTORE_MS_MAX): void {
    const { time, listeners } = this.#core;
    this.#pool.restore(time.now() + milliseconds);
    this.#droppedOnOpen.push(...this.#pool.takeDropped());
    const stop = listeners.dropped.add((dropped) => this.#droppedOnOpen.push(dropped));
    unlessMissing(() => this.#production.minePending());
    stop();
  }

  /** Stored pending transactions that had become invalid when the ledger was opened. */
  get droppedOnOpen(): readonly DroppedTransaction[] {
    return this.#droppedOnOpen;
  }

  /** Lists pending, then queued transactions, each in order of arrival. */
  pendingTransactions(): SignedTransaction[] {
    return [...this.#pool.transactions(), ...this.#pool.queued()];
  }

  /** Returns true for a pending transaction. */
  isPending(transaction: SignedTransaction): boolean {
    return this.#pool.has(transaction);
  }

  /** Number of pending and queued transactions. */
  get pendingCount(): number {
    return this.#pool.size;
  }

  /** Lists pending operations, in order. */
  pendingOperations(): PendingOperation[] {
    return pendingOperations(this.#pool.transactions(), this.#contractAddressOf);
  }

  /** Lists the operations of transactions that are queued behind a nonce gap. */
  queuedOperations(): PendingOperation[] {
    return pendingOperations(this.#pool.queued(), this.#contractAddressOf);
  }

  /**
   * Finds an operation by either form of its transaction hash (docs/interface.md#transaction-hash), or by the hash of
   * its inner Ethereum transaction.
   */
  findOperation(hash: Hash): IncludedOperation | PendingOperation | undefined {
    const { chain, origin } = this.#core;
    const native = findOperation(hash, chain, origin.pool, this.#contractAddressOf);
    if (native !== undefined || origin.genesis.ethereum === undefined) return native;
    return findEnvelope(hash, chain, origin.pool, this.#contractAddressOf);
  }

  /** Finds the transaction around an operation by either form of the operation's transaction hash. */
  findTransaction(hash: Hash): SignedTransaction | undefined {
    return findTransaction(this.findOperation(hash), this.#core.chain, this.#pool);
  }

  // Events

  /**
   * Subscribes to accepted transactions: the hashes of their operations in the pending form, also when a transaction
   * gets its block at once, and before that block is announced. Returns the function that unsubscribes.
   */
  onAccepted(listener: (hashes: readonly Hash[]) => void): () => void {
    return this.#core.listeners.accepted.add(listener);
  }

  /**
   * Subscribes to accepted transactions that become pending or queued; each is stored by then. Returns the
   * function that unsubscribes.
   */
  onPending(listener: (transaction: SignedTransaction) => void): () => void {
    return this.#core.listeners.pending.add(listener);
  }

  /** Subscribes to pending transactions that are dropped, with the reason. Returns the function that unsubscribes. */
  onDropped(listener: (dropped: DroppedTransaction) => void): () => void {
    return this.#core.listeners.dropped.add(listener);
  }

  readonly #contractAddressOf = (id: ContractId): Address | undefined =>
    this.#pool.state.native.contractAddress(id);
}

/** A node's restrictions of the transactions that the chain allows. */
export interface SubmitEthereumOptions {
  /** True to accept transactions without a chain id (from before EIP-155). */
  readonly allowUnprotected: boolean;
}

/**
 * Accepts a signed Ethereum transaction.
 * @param raw in its consensus form
 * @param sidecar of a blob transaction, verified and serialized for storage
 * @returns its hash, Keccak-256 of its bytes
 * @throws RefusedError with geth's message; nothing is changed then
 */
export function submitEthereum(
  ledger: { readonly pool: TransactionPool; readonly parameters: ChainParameters },
  raw: Uint8Array,
  options: SubmitEthereumOptions,
  sidecar?: Uint8Array,
): Hash {
  if (!ledger.parameters.knowsEthereum) refuse({ code: 'noEthereum' });
  refuseUnsupportedBlobs(raw, ledger.parameters.rules);
  const { signatures } = ledger.pool;
  const transaction = ethereumEnvelope(raw, undefined, (inner) => signatures.senderOf(inner));
  requireProtected(transaction, options);
  const innerTransaction = innerTransactionOf(transaction);
  invariant(innerTransaction !== undefined, 'an envelope carries a transaction');
  const { hash } = innerTransaction;
  ledger.pool.submit(transaction, 'client', sidecar && { hash, bytes: sidecar });
  return hash;
}

/**
 * Accepts a transaction that its sender did not sign: only the node itself makes such, for impersonated addresses of a
 * test chain.
 * @returns its hash
 * @throws FormatError for a number that does not fit into its field, and as `Ledger.pool.submit`
 */
export function submitImpersonated(
  { pool }: { readonly pool: TransactionPool },
  fields: EthereumTransactionFields,
  sender: Address,
): Hash {
  const raw = serializeEthereumTransaction(fields, impersonatedSignature(sender));
  pool.submit(ethereumEnvelope(raw, sender), 'node');
  return keccak256(raw);
}

/**
 * Refuses an Ethereum transaction that is signed for every chain: a node applies the same rule to its
 * clients in every form of submission. Blocks may contain such transactions, since other nodes may accept them.
 * @throws RefusedError with geth's words
 */
export function requireProtected(
  transaction: SignedTransaction,
  { allowUnprotected }: SubmitEthereumOptions,
): void {
  if (allowUnprotected) return;
  const innerTransaction = innerTransactionOf(transaction);
  if (innerTransaction !== undefined && innerTransaction.chainId === undefined)
    refuse({ code: 'unprotectedTransaction' });
}
