import {
  type Address,
  type ContractId,
  type EthereumTransaction,
  type EthereumTransactionFields,
  type Hash,
  impersonatedSignature,
  invariant,
  type KeyPair,
  keccak256,
  type Operation,
  type OperationHash,
  operationHashes,
  pendingTransactionHash,
  processedTransactionHash,
  type SignedTransaction,
  serializeEthereumTransaction,
} from '../../protocol/index.ts';
import type { SidecarRecord } from '../../store/index.ts';
import type { SignatureCounts } from '../authorities/signature-checks.ts';
import type { ChainWriter } from '../blocks/chain-writer.ts';
import type { Miner } from '../blocks/miner.ts';
import type { AddedBlock } from '../blocks/new-block.ts';
import type { BlockSummary } from '../chain/records.ts';
import type { DroppedTransaction, LedgerCore, PricePolicy } from '../core.ts';
import { refuse } from '../errors/refusal.ts';
import type { ChainParameters } from '../genesis/chain-parameters.ts';
import { feeCapOf } from '../operations/ethereum-transaction.ts';
import {
  findEthereumOperation,
  findOperation,
  findTransaction,
  type IncludedOperation,
  type PendingOperation,
  pendingOperations,
} from '../queries/operation-lookup.ts';
import { expectSignatures } from '../transactions/expected-signatures.ts';
import {
  blobsIn,
  ethereumOperationIn,
  innerTransactionOf,
  nativeTransactionOf,
  parseAhead,
  refuseUnsupportedBlobs,
  senderNonceOf,
} from '../transactions/native-transaction.ts';
import { signTransaction } from '../transactions/signing.ts';
import { refuseTestOperations } from '../transactions/transaction-checks.ts';
import { type HeadQueries, PendingBlock } from './pending-block.ts';
import { unlessMissing } from './pending-state.ts';
import { PENDING_RESTORE_MS_MAX, type PendingTransactions, type PoolCore } from './pending-transactions.ts';
import { readPendingTransactions } from './pool-index.ts';

export interface PoolDependencies {
  readonly writer: ChainWriter;
  readonly miner: Miner;
  readonly queries: HeadQueries;
  /** Receives the sidecars that are stored with a transaction. */
  readonly sidecars: { noteAdded(hash: Hash, length: number): void };
  /** Continues from the head of the file, after blocks were lost whose commit failed. */
  readonly chain: { handleReorg(): void };
}

/** An accepted transaction. */
export interface Submission {
  /** Transaction hash of the first operation: the processed form when it is in a block, else the pending form. */
  readonly hash: Hash;
}

/** Accepts transactions, and gives access to pending and queued ones. */
export class Pool {
  /** The chain with pending transactions: the block `pending` of Ethereum's clients. */
  readonly pending: PendingBlock;
  /** The signature checks of submitted transactions. */
  readonly signatures: SubmittedSignatures;
  /** The node's policy for prices. */
  readonly prices: PricePolicy;
  readonly #core: PoolCore;
  readonly #pending: PendingTransactions;
  readonly #parts: PoolDependencies;
  readonly #droppedOnOpen: DroppedTransaction[] = [];
  /** Notifications of submissions of `together` that are not stored yet; undefined outside of it. */
  #notifications: (() => void)[] | undefined;

  constructor(core: PoolCore, parts: PoolDependencies) {
    this.#core = core;
    this.#pending = core.pool;
    this.#parts = parts;
    this.prices = core.prices;
    this.pending = new PendingBlock(core, parts.queries, parts.miner);
    this.signatures = new SubmittedSignatures(core);
  }

  // Acceptance

  /**
   * Accepts a transaction, or throws `RefusedError` and changes nothing; `index.ts` has the order of the checks. Only
   * the node itself makes test calls, and only other nodes send blob transactions without their sidecar. A transaction
   * that was forwarded to another node, which accepted it, becomes pending also at a node that makes no blocks.
   * @param sidecar of a blob transaction, which was verified
   */
  submit(
    transaction: SignedTransaction,
    maker: 'client' | 'node' | 'peer' | 'forwarded' = 'client',
    sidecar?: SidecarRecord,
  ): Submission {
    const { origin, listeners } = this.#core;
    const { writer, miner, sidecars } = this.#parts;
    if (maker !== 'node') refuseTestOperations(transaction);
    const hasBlobs = blobsIn(transaction) > 0;
    const needsSidecar = maker === 'client' && hasBlobs && origin.rules.blobs !== undefined;
    if (needsSidecar && sidecar === undefined) refuse({ code: 'sidecarMissing' });
    if (maker !== 'forwarded') this.#requirePrice(transaction);
    const isInstant = this.#isInstant(transaction);
    // A blob transaction becomes pending first: one commit stores it with its sidecar.
    if (isInstant && !hasBlobs) {
      const { summary, applied } = this.#addInOwnBlock(transaction);
      miner.minePending();
      return { hash: processedTransactionHash(summary.number, 0, firstHash(applied.operationHashes)) };
    }
    writer.requireWriting();
    if (maker !== 'forwarded') miner.requireProducing();
    this.#pending.add(transaction, sidecar, !isInstant);
    if (sidecar !== undefined) sidecars.noteAdded(sidecar.hash, sidecar.bytes.length);
    const hashes = operationHashes(transaction).map(pendingTransactionHash);
    this.#onceStored(() => {
      writer.reportDropped();
      listeners.accepted.notify(hashes);
      listeners.pending.notify(transaction);
    });
    if (hasBlobs) miner.minePending();
    return { hash: firstHash(hashes) };
  }

  #requirePrice(transaction: SignedTransaction): void {
    const { minGasPrice: least } = this.prices;
    const ethereumOperation = least === 0n ? undefined : ethereumOperationIn(transaction);
    if (ethereumOperation === undefined) return;
    const feeCap = feeCapOf(ethereumOperation.innerTransaction);
    if (feeCap < least) refuse({ code: 'underpriced', feeCap, least });
  }

  /** Returns true if a transaction gets a block on arrival or is refused; false if it becomes pending or queued. */
  #isInstant(transaction: SignedTransaction): boolean {
    const { miner } = this.#parts;
    if (!miner.isInstant() || !miner.hasRoom(transaction)) return false;
    const senderNonce = senderNonceOf(transaction);
    if (senderNonce === undefined) return true;
    const account = this.#core.origin.state.reading.engine.accountState(senderNonce.sender);
    const isAhead = senderNonce.nonce > (account?.nonce ?? 0n);
    return !isAhead && this.#pending.index.at(senderNonce) === undefined;
  }

  /**
   * Makes a block of one transaction, without pending ones, whether or not mining is on. Returns its operations. Throws
   * `RefusedError` and changes nothing.
   */
  submitInOwnBlock(transaction: SignedTransaction): IncludedOperation[] {
    const { number } = this.#addInOwnBlock(transaction).summary;
    return this.#parts.queries.blocks.blockTransactions(number);
  }

  #addInOwnBlock(transaction: SignedTransaction): AddedBlock {
    const { writer, miner } = this.#parts;
    writer.requireWriting();
    miner.requireProducing();
    writer.finish();
    if (this.#pending.index.has(transaction)) refuse({ code: 'alreadyPending' });
    const added = miner.produceAlone(transaction);
    this.#core.listeners.accepted.notify(added.applied.operationHashes.map(pendingTransactionHash));
    writer.announce(added);
    return added;
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
      return this.#pending.together(action, notifyStored, onLosing);
    } finally {
      this.#notifications = undefined;
      if (isLosing) this.#handleLoss();
    }
  }

  #handleLoss(): void {
    const { writer, chain } = this.#parts;
    this.#pending.replaceAll(readPendingTransactions(this.#core.store));
    chain.handleReorg();
    writer.reportDropped();
  }

  /** Calls the listeners of a transaction once it is stored. */
  #onceStored(notify: () => void): void {
    if (this.#notifications === undefined) notify();
    else this.#notifications.push(notify);
  }

  // Maintenance

  /** Drops the chosen pending and queued transactions; returns their number. */
  dropPending(isChosen: (transaction: SignedTransaction) => boolean): number {
    const { writer } = this.#parts;
    writer.completeBlock();
    const dropped = this.#pending.drop(isChosen);
    writer.reportDropped();
    return dropped;
  }

  /**
   * Checks and executes pending transactions that were not reached since the last block or the start, until a moment of
   * the ledger's time has come.
   * @returns true if there are more; false while a block is being added, which would discard the results
   */
  refreshPending(until: number): boolean {
    const { writer } = this.#parts;
    if (writer.isAddingBlock) return false;
    const isMore = this.#pending.catchUp(until);
    writer.reportDropped();
    return isMore;
  }

  /**
   * Restores the stored pending transactions; with instant production they get their blocks at once, or on a forked
   * chain by `minePending` once their entries are here.
   */
  restore(milliseconds: number = PENDING_RESTORE_MS_MAX): void {
    const { time, listeners } = this.#core;
    this.#pending.restore(time.now() + milliseconds);
    this.#droppedOnOpen.push(...this.#pending.takeDropped());
    const stop = listeners.dropped.add((dropped) => this.#droppedOnOpen.push(dropped));
    unlessMissing(() => this.#parts.miner.minePending());
    stop();
  }

  /** Stored pending transactions that had become invalid when the ledger was opened. */
  get droppedOnOpen(): readonly DroppedTransaction[] {
    return this.#droppedOnOpen;
  }

  // Pending transactions

  /** Lists pending, then queued transactions, each in order of arrival. */
  pendingTransactions(): SignedTransaction[] {
    return [...this.#pending.ready(), ...this.#pending.queued()];
  }

  /** Returns true for a pending transaction. */
  isPending(transaction: SignedTransaction): boolean {
    return this.#pending.index.has(transaction);
  }

  /** Number of pending and queued transactions. */
  get pendingCount(): number {
    return this.#pending.index.size;
  }

  /** Lists pending operations, in order. */
  pendingOperations(): PendingOperation[] {
    return pendingOperations(this.#pending.ready(), this.#contractAddressOf);
  }

  /** Lists the operations of transactions that are queued behind a nonce gap. */
  queuedOperations(): PendingOperation[] {
    return pendingOperations(this.#pending.queued(), this.#contractAddressOf);
  }

  /**
   * Finds an operation by either form of its transaction hash (docs/interface.md#transaction-hash), or by the hash of
   * its inner Ethereum transaction.
   */
  findOperation(hash: Hash): IncludedOperation | PendingOperation | undefined {
    const { chain, origin } = this.#core;
    const { index } = this.#pending;
    const native = findOperation(hash, chain, index, this.#contractAddressOf);
    if (native !== undefined || origin.genesis.ethereum === undefined) return native;
    return findEthereumOperation(hash, chain, index, this.#contractAddressOf);
  }

  /** Finds the transaction around an operation by either form of the operation's transaction hash. */
  findTransaction(hash: Hash): SignedTransaction | undefined {
    return findTransaction(this.findOperation(hash), this.#core.chain, this.#pending.index);
  }

  readonly #contractAddressOf = (id: ContractId): Address | undefined =>
    this.#pending.state.current.native.contractAddress(id);

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
}

/** Returns the hash of the first operation of an accepted transaction. */
function firstHash<T extends Hash | OperationHash>([first]: readonly T[]): T {
  invariant(first !== undefined, 'an accepted transaction has at least one operation');
  return first;
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
 * @param parsed `raw`, if the caller has parsed it
 * @returns its hash, Keccak-256 of its bytes
 * @throws RefusedError with geth's message; nothing is changed then
 */
export function submitEthereum(
  ledger: { readonly pool: Pool; readonly parameters: ChainParameters },
  raw: Uint8Array,
  options: SubmitEthereumOptions,
  sidecar?: Uint8Array,
  parsed?: EthereumTransaction,
): Hash {
  if (!ledger.parameters.knowsEthereum) refuse({ code: 'noEthereum' });
  refuseUnsupportedBlobs(raw, ledger.parameters.rules);
  const { signatures } = ledger.pool;
  const transaction = nativeTransactionOf(raw, undefined, (one) => signatures.senderOf(one), parsed);
  requireProtected(transaction, options);
  const innerTransaction = innerTransactionOf(transaction);
  invariant(innerTransaction !== undefined, 'the operation has an Ethereum transaction');
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
  { pool }: { readonly pool: Pool },
  fields: EthereumTransactionFields,
  sender: Address,
): Hash {
  const raw = serializeEthereumTransaction(fields, impersonatedSignature(sender));
  pool.submit(nativeTransactionOf(raw, sender), 'node');
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

/** The signatures of submitted transactions; other threads may check them while these are queued. */
class SubmittedSignatures {
  readonly #core: LedgerCore;

  constructor(core: LedgerCore) {
    this.#core = core;
  }

  /** Numbers of checks, those of blocks included. */
  get counts(): SignatureCounts {
    return this.#core.origin.transactionRules.signatures.counts;
  }

  /**
   * Signs a transaction of one operation for this chain. Its signature is not checked when it is submitted.
   * @param reference a block of the chain
   * @param expiration Unix time in seconds after which the transaction is void
   */
  sign(
    operation: Operation,
    keys: KeyPair,
    reference: Pick<BlockSummary, 'number' | 'id'>,
    expiration: number,
  ): SignedTransaction {
    const { chainId, signatures } = this.#core.origin.transactionRules;
    return signTransaction(operation, keys, chainId, reference, expiration, signatures);
  }

  /** Queues the checks of a transaction that will be submitted soon. */
  expect(transaction: SignedTransaction): void {
    const { transactionRules, state } = this.#core.origin;
    expectSignatures(transaction, transactionRules, state.reading.native);
  }

  /**
   * Queues the recovery of the sender of a signed Ethereum transaction that will be submitted soon. Returns its parsed
   * form; undefined for bytes that `nativeTransactionOf` refuses.
   */
  expectEthereum(raw: Uint8Array): EthereumTransaction | undefined {
    const innerTransaction = parseAhead(raw);
    if (innerTransaction !== undefined)
      this.#core.origin.transactionRules.signatures.expectSender(innerTransaction);
    return innerTransaction;
  }

  /** Recovers the address that signed a transaction. @throws {FormatError} for an impossible signature */
  senderOf(transaction: EthereumTransaction): Address {
    return this.#core.origin.transactionRules.signatures.senderOf(transaction);
  }
}
