import { PENDING_RESTORE_MS_MAX, WRITE_SLICE_MS } from '../limits.ts';
import {
  type Block,
  pendingTransactionHash,
  processedTransactionHash,
  type SignedBlockHeader,
  type SignedTransaction,
} from '../protocol/index.ts';
import type { ReversionPlan, StoreReader } from '../store/index.ts';
import {
  type AddedBlock,
  type AddingBlock,
  addEmptyBlocks,
  atOnce,
  type BlockProducer,
  BlockSteps,
  importTogether,
  type NextBlockOptions,
  type PlaceGiver,
  revertChain,
  timeAfter,
} from './blocks/index.ts';
import type { BlockSummary } from './chain/index.ts';
import { type RefusedError, refuse, throwRefusal } from './errors/index.ts';
import type { Genesis } from './genesis/index.ts';
import {
  type FormerPast,
  type LedgerOptions,
  type LedgerSettings,
  type OpenedParts,
  openParts,
  readingOf,
  type Submission,
} from './ledger-parts.ts';
import { LedgerPatches } from './ledger-patches.ts';
import { Production } from './production.ts';
import { firstHash, type IncludedOperation, pendingHashes } from './queries/index.ts';
import {
  type DroppedTransaction,
  readWaiting,
  refuseTestOperations,
  senderPlaceOf,
} from './transactions/index.ts';

/** Why a block that is being added is given up. */
const OTHER_PAST = 'the chain has another past';

/** The native ledger: the truth, and the only way to change it. Synchronous throughout, once it is open. */
export class Ledger extends LedgerPatches {
  readonly #parts: OpenedParts;
  readonly #droppedAtOpen: DroppedTransaction[] = [];
  /** The block that is being added in several goes. */
  #adding: BlockSteps | undefined;

  private constructor(options: LedgerOptions, parts: OpenedParts) {
    super(readingOf(parts), new Production(options, parts), parts);
    this.#parts = parts;
  }

  get #producer(): BlockProducer {
    return this.#parts.producer;
  }

  /**
   * Opens the ledger of a store; an empty store gets the genesis block. Transactions that waited when the store
   * was closed wait again, and get their blocks at once with instant production.
   *
   * @throws InvalidGenesisError, GenesisMismatchError, NoGenesisError for an empty store without a genesis,
   *   ChainDamagedError, and what the store throws
   */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const ledger = new Ledger(options, await openParts(options));
    ledger.#restorePending(options.restoreMs ?? PENDING_RESTORE_MS_MAX);
    return ledger;
  }

  // Transactions

  /** Accepts a transaction, or throws `RefusedError` and changes nothing. Only the node itself makes test calls. */
  submit(transaction: SignedTransaction, maker: 'client' | 'node' = 'client'): Submission {
    if (maker === 'client') refuseTestOperations(transaction);
    const added = this.#submitAtOnce(transaction);
    if (added !== undefined) {
      const { summary, applied } = added;
      return { hash: processedTransactionHash(summary.number, 0, firstHash(applied.operationHashes)) };
    }
    this.production.requireWriting();
    this.production.requireProducing();
    this.pool.add(transaction);
    this.#notifyDropped();
    const hashes = pendingHashes(transaction);
    this.acceptedListeners.notify(hashes);
    this.waitingListeners.notify(transaction);
    return { hash: firstHash(hashes) };
  }

  /** Undefined where it has to wait: for its block, or for those of lower nonces. */
  #submitAtOnce(transaction: SignedTransaction): AddedBlock | undefined {
    const { production } = this;
    if (!production.isInstant() || !production.hasPlace(transaction)) return undefined;
    const place = senderPlaceOf(transaction);
    if (place === undefined) return this.#addInOwnBlock(transaction);
    if (this.pool.isTaken(place) || place.nonce > this.nonceOf(place.sender)) return undefined;
    const added = this.#addInOwnBlock(transaction);
    this.mineWaiting();
    return added;
  }

  /**
   * Puts a transaction into a block of its own, whatever waits and whether or not mining is on. Returns its
   * operations. Throws `RefusedError` and changes nothing.
   */
  submitInOwnBlock(transaction: SignedTransaction): IncludedOperation[] {
    return this.blockTransactions(this.#addInOwnBlock(transaction).summary.number);
  }

  #addInOwnBlock(transaction: SignedTransaction): AddedBlock {
    this.production.requireWriting();
    this.production.requireProducing();
    this.#adding?.finish();
    if (this.pool.has(transaction)) refuse({ code: 'alreadyPending' });
    const added = atOnce(this.#producer.produce([transaction], { onRefused: throwRefusal }));
    this.acceptedListeners.notify(added.applied.operationHashes.map(pendingTransactionHash));
    this.#announce(added);
    return added;
  }

  /** Drops those of the transactions that wait which are chosen; returns how many. */
  dropPending(isChosen: (transaction: SignedTransaction) => boolean): number {
    this.production.requireWriting();
    this.#adding?.finish();
    const dropped = this.pool.drop(isChosen);
    this.#notifyDropped();
    return dropped;
  }

  /** Pending transactions of before that the rules did not allow any more when the ledger was opened. */
  get droppedAtOpen(): readonly DroppedTransaction[] {
    return this.#droppedAtOpen;
  }

  // Blocks

  /**
   * Makes a block of the pending transactions, even an empty one, whether or not mining is on.
   *
   * @param timestamp of the block, or the head's where that is later: the time of day goes on from there if it is
   *   before; absent: what the clock says
   * @throws NoProducerKeyError, SignedBeforeError, and RefusedError while writes are paused; nothing is changed then
   */
  mine(timestamp?: number): BlockSummary {
    return this.#mine(this.pool.transactions(), timestamp).summary;
  }

  /**
   * Makes a block of these transactions alone, whatever waits.
   *
   * @returns why the rules do not allow some of them: the block is there without these
   * @throws what `mine` throws; nothing is changed then
   */
  mineOnly(transactions: readonly SignedTransaction[], timestamp: number): readonly RefusedError[] {
    return this.#mine(transactions, timestamp).refused.map(({ error }) => error);
  }

  #mine(transactions: readonly SignedTransaction[], timestamp: number | undefined): AddedBlock {
    this.production.requireWriting();
    this.#adding?.finish();
    const { gasLimit } = this;
    const headTime = this.head().header.timestamp;
    const time = timestamp === undefined ? undefined : Math.max(timestamp, headTime);
    const added = atOnce(this.#producer.produce(transactions, { timestamp: time, gasLimit }));
    if (time !== undefined) this.keepUp(time);
    this.#announce(added);
    return added;
  }

  /**
   * Makes blocks like `mine`, one after the other: at least one, and no more when a moment of the ledger's time has
   * come. Those without transactions are stored together.
   *
   * @param step seconds from each block to the next; absent: each has the time that the clock says
   * @returns how many there are, at most `most`
   * @throws what `mine` throws; the blocks of this call that were to be stored together are not there then
   */
  mineSeveral(most: number, until: number, step?: number): number {
    this.production.requireWriting();
    this.#adding?.finish();
    if (this.pool.size > 0) {
      this.mine(timeAfter(this.head(), step));
      return 1;
    }
    const added = addEmptyBlocks(this.#parts, { most, until, step });
    if (step !== undefined) this.keepUp(this.head().header.timestamp);
    for (const block of added) this.#announce(block);
    return added.length;
  }

  /**
   * Begins to make a block like `mine`, in several goes. When the time is over it takes no more transactions: at least
   * one is taken, and the rest waits for later blocks.
   *
   * @param timeLimit milliseconds from now
   * @param placeGiver with `log` the block is stored when `store` is called, and not before
   * @throws NoProducerKeyError, SignedBeforeError, BlockRejectedError for an attempt that comes too early, and
   *   RefusedError while writes are paused
   */
  beginBlock(timeLimit: number, next: NextBlockOptions = {}, placeGiver: PlaceGiver = 'node'): BlockSteps {
    this.production.requireWriting();
    this.#adding?.finish();
    const { gasLimit } = this;
    const options = { ...next, timeLimit, gasLimit };
    return this.#begin(this.#producer.produce(this.pool.transactions(), options), placeGiver);
  }

  /**
   * Adds a block that was made elsewhere.
   *
   * @throws BlockRejectedError, and RefusedError while writes are paused; nothing is changed then
   */
  importBlock(block: Block): BlockSummary {
    this.production.requireWriting();
    this.#adding?.finish();
    const added = atOnce(this.#producer.import(block));
    this.#announce(added);
    return added.summary;
  }

  /**
   * Adds blocks without transactions that were made elsewhere, and stores them together: one at least, and no more when
   * a moment of the ledger's time has come. Returns how many. Throws what `importBlock` throws; none is added then.
   */
  importTogether(blocks: readonly Block[], until: number): number {
    this.production.requireWriting();
    this.#adding?.finish();
    const added = importTogether(this.#parts, blocks, until);
    for (const block of added) this.#announce(block, until);
    return added.length;
  }

  /**
   * Checks that a header that was made elsewhere can be that of the next block: number, order, producer, signature.
   *
   * @throws BlockRejectedError
   */
  checkNextHeader(header: SignedBlockHeader): void {
    this.#producer.checkNext(header);
  }

  /**
   * Begins to add a block that was made elsewhere, in several goes.
   *
   * @throws RefusedError while writes are paused
   */
  beginImport(block: Block): BlockSteps {
    this.production.requireWriting();
    this.#adding?.finish();
    return this.#begin(this.#producer.import(block));
  }

  /** Whether a block is being added in several goes. */
  isAddingBlock(): boolean {
    return this.#adding?.isOver === false;
  }

  /**
   * Checks and executes what waits and was not reached yet after the last block or the start, until a moment of
   * the ledger's time has come.
   *
   * @returns whether there is more; not while a block is being added, after which it would be for nothing
   */
  refreshPending(until: number): boolean {
    if (this.isAddingBlock()) return false;
    const isMore = this.pool.catchUp(until);
    this.#notifyDropped();
    return isMore;
  }

  /** From now on nothing is written, and whatever would is refused with the reason. Reading goes on. */
  pauseWrites(reason: string): void {
    this.production.pausedFor = reason;
    this.#adding?.discard(reason);
  }

  /** Ends a pause; with instant production what waits gets its blocks at once. */
  resumeWrites(): void {
    this.production.pausedFor = undefined;
    this.mineWaiting();
  }

  protected override change(commit: () => boolean): void {
    this.production.requireWriting();
    this.#adding?.finish();
    if (!commit()) return;
    this.#parts.state.reload();
    this.forgetState();
    this.pool.reload();
    this.pool.catchUp(this.#parts.time.now() + WRITE_SLICE_MS);
    this.patchedListeners.notify();
    this.#notifyDropped();
  }

  /**
   * Takes the newest blocks back, as if they had never come; their transactions do not wait again. What waits is
   * checked again, as after `forgetPast`; with instant production it gets its blocks. The clock stays where it is,
   * unless other settings are given.
   *
   * @param block the head afterwards: not before `oldestKept`; the head itself only where it is given what waits
   * @param plan what was found out of it before
   * @throws ChainDamagedError where the state that comes out is not that of the block, RefusedError while writes are
   *   paused, and what `Store.revertBlocks` throws; nothing is changed then
   */
  revertTo(block: number, { settings, ...former }: FormerPast = {}, plan?: ReversionPlan): void {
    this.production.requireWriting();
    const waiting = former.pending && readWaiting(former.pending);
    this.revertingListeners.notify(block);
    revertChain(this.#parts.store, block, former, plan);
    if (waiting !== undefined) this.pool.replaceAll(waiting);
    if (settings !== undefined) this.setSettings(settings);
    this.forgetPast();
    this.#notifyDropped();
    this.mineWaiting();
  }

  /**
   * Puts the chain of a store in the place of this one: nothing waits then, and the clock is where the settings say, or
   * where the new head is if that is later.
   *
   * @param source holds a checked chain of a genesis, and no more than a chain
   * @param genesis may be another one than that of this chain
   * @param restored what `Store.restored` has from then on
   * @throws RefusedError where the key of its producer is not held and while writes are paused, InvalidGenesisError,
   *   and what `Store.replaceChain` throws; nothing is changed then
   */
  replaceChain(source: StoreReader, genesis: Genesis, settings: LedgerSettings, restored?: Uint8Array): void {
    this.production.requireWriting();
    const takeUp = this.#parts.prepare(source, genesis);
    this.revertingListeners.notify(0);
    this.#parts.store.replaceChain(source, this.#parts.openedWith, restored);
    this.pool.replaceAll([]);
    const dropped = this.pool.takeDropped();
    this.#adding?.discard(OTHER_PAST);
    if (takeUp !== undefined) {
      takeUp();
      this.forgetGenesis();
    }
    this.setSettings(settings);
    this.forgetPast();
    this.keepUp(this.head().header.timestamp);
    for (const drop of dropped) this.droppedListeners.notify(drop);
  }

  /**
   * Follows a reorganisation: forgets what is held in memory of the chain, since the store holds another past now, in
   * which blocks of before may be missing or others. A block that is being added is given up; what waits is checked
   * again. Everybody who holds anything of the chain is told.
   */
  forgetPast(): void {
    this.#adding?.discard(OTHER_PAST);
    this.#parts.state.reload();
    this.pool.reload();
    this.forgetBlocks(Math.max(this.epoch + 1, this.#parts.store.epoch()));
  }

  protected override mineWaiting(): void {
    const hasWork = () => this.pool.transactions().some((waiting) => this.production.hasPlace(waiting));
    while (this.production.isInstant() && hasWork()) this.mine();
  }

  #restorePending(milliseconds: number): void {
    this.pool.restore(this.#parts.time.now() + milliseconds);
    this.#droppedAtOpen.push(...this.pool.takeDropped());
    const stop = this.onDropped((dropped) => this.#droppedAtOpen.push(dropped));
    this.mineWaiting();
    stop();
  }

  #begin(adding: AddingBlock, placeGiver?: PlaceGiver): BlockSteps {
    const announce = (added: AddedBlock, until: number): void => this.#announce(added, until);
    this.#adding = new BlockSteps(adding, announce, placeGiver);
    return this.#adding;
  }

  /** Brings the pool up to the new head, as far as there is time for it, then tells everyone. */
  #announce(
    { summary, applied, refused, removedIds, work }: AddedBlock,
    until = Number.POSITIVE_INFINITY,
  ): void {
    this.clock.passed(summary.header.timestamp);
    this.pool.rebase(removedIds, until);
    this.blockListeners.notify(summary, work);
    this.tellExecutions(summary, applied.applied);
    for (const drop of refused) this.droppedListeners.notify(drop);
    this.#notifyDropped();
  }

  #notifyDropped(): void {
    for (const drop of this.pool.takeDropped()) this.droppedListeners.notify(drop);
  }
}
