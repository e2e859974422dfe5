import { PENDING_RESTORE_MS_MAX } from '../limits.ts';
import {
  type Address,
  type Block,
  type ContractId,
  type Hash,
  invariant,
  pendingTransactionHash,
  processedTransactionHash,
  type SignedBlockHeader,
  type SignedTransaction,
} from '../protocol/index.ts';
import type { Store, StoreReader } from '../store/index.ts';
import type { Stopwatch } from '../time.ts';
import {
  type AddedBlock,
  type AddingBlock,
  atOnce,
  type BlockProducer,
  BlockSteps,
  revertChain,
  type SignedBefore,
} from './blocks/index.ts';
import type { BlockSummary, Chain } from './chain/index.ts';
import { type RefusedError, refuse, throwRefusal } from './errors/index.ts';
import {
  type FormerPast,
  type LedgerOptions,
  type LedgerSettings,
  type OpenedParts,
  openParts,
  type Submission,
} from './ledger-parts.ts';
import { LedgerTime } from './ledger-time.ts';
import {
  findOperation,
  findTransaction,
  firstHash,
  type IncludedOperation,
  type PendingOperation,
  pendingHashes,
  pendingOperations,
} from './queries/index.ts';
import type { HeadState } from './state/index.ts';
import { type DroppedTransaction, type PendingPool, readWaiting } from './transactions/index.ts';

/** The native ledger: the truth, and the only way to change it. Synchronous throughout, once it is open. */
export class Ledger extends LedgerTime {
  readonly #store: Store;
  readonly #chain: Chain;
  readonly #state: HeadState;
  readonly #pool: PendingPool;
  readonly #producer: BlockProducer;
  readonly #time: Stopwatch;
  readonly #production: LedgerOptions['production'];
  readonly #droppedAtOpen: DroppedTransaction[] = [];
  #mining: boolean;
  /** The block that is being added in several goes. */
  #adding: BlockSteps | undefined;
  /** Why nothing is written for now; undefined while it is. */
  #pausedFor: string | undefined;

  private constructor({ store, production, mining }: LedgerOptions, parts: OpenedParts) {
    const { genesis, chainId, chain, clock, state } = parts;
    super({
      ...{ genesis, chainId, chain, clock, store },
      get state() {
        return state.reading;
      },
    });
    this.#store = store;
    this.#chain = parts.chain;
    this.#state = parts.state;
    this.#pool = parts.pool;
    this.#producer = parts.producer;
    this.#time = parts.time;
    this.#production = production;
    this.#mining = mining;
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
    ledger.#restorePending();
    return ledger;
  }

  // Transactions

  /** Accepts a transaction, or throws `RefusedError` and changes nothing. */
  submit(transaction: SignedTransaction): Submission {
    if (this.#makesBlocksAtOnce()) {
      const { summary, applied } = this.#addInOwnBlock(transaction);
      return { hash: processedTransactionHash(summary.number, 0, firstHash(applied.operationHashes)) };
    }
    this.#requireWriting();
    this.#requireProducing();
    this.#pool.add(transaction);
    this.#notifyDropped();
    const hashes = pendingHashes(transaction);
    this.acceptedListeners.notify(hashes);
    return { hash: firstHash(hashes) };
  }

  /**
   * Puts a transaction into a block of its own, whatever waits and whether or not mining is on. Returns its
   * operations. Throws `RefusedError` and changes nothing.
   */
  submitInOwnBlock(transaction: SignedTransaction): IncludedOperation[] {
    return this.blockTransactions(this.#addInOwnBlock(transaction).summary.number);
  }

  #addInOwnBlock(transaction: SignedTransaction): AddedBlock {
    this.#requireWriting();
    this.#requireProducing();
    this.#adding?.finish();
    if (this.#pool.has(transaction)) refuse({ code: 'alreadyPending' });
    const added = atOnce(this.#producer.produce([transaction], { onRefused: throwRefusal }));
    this.acceptedListeners.notify(added.applied.operationHashes.map(pendingTransactionHash));
    this.#announce(added);
    return added;
  }

  /** Finds an operation by either form of its transaction hash (docs/interface.md#transaction-hash). */
  findOperation(hash: Hash): IncludedOperation | PendingOperation | undefined {
    return findOperation(hash, this.#chain, this.#pool, this.#pendingContractAddressOf);
  }

  /** Finds the transaction around an operation by either form of the operation's transaction hash. */
  findTransaction(hash: Hash): SignedTransaction | undefined {
    return findTransaction(this.findOperation(hash), this.#chain, this.#pool);
  }

  /** Transactions that wait for a block. */
  get pendingCount(): number {
    return this.#pool.size;
  }

  /** Operations that wait for a block, in order. */
  pendingOperations(): PendingOperation[] {
    return pendingOperations(this.#pool.transactions(), this.#pendingContractAddressOf);
  }

  /** Pending transactions of before that the rules did not allow any more when the ledger was opened. */
  get droppedAtOpen(): readonly DroppedTransaction[] {
    return this.#droppedAtOpen;
  }

  // Blocks

  /**
   * Makes a block of the pending transactions, even an empty one, whether or not mining is on.
   *
   * @param timestamp of the block, not before the head's: the time of day goes on from there if it is later; absent:
   *   the time of day
   * @throws NoProducerKeyError, SignedBeforeError, and RefusedError while writes are paused; nothing is changed then
   */
  mine(timestamp?: number): BlockSummary {
    return this.#mine(this.#pool.transactions(), timestamp).summary;
  }

  /**
   * Makes a block of these transactions alone, whatever waits.
   *
   * @param timestamp of the block, not before the head's
   * @returns why the rules do not allow some of them: the block is there without these
   * @throws NoProducerKeyError, and RefusedError while writes are paused; nothing is changed then
   */
  mineOnly(transactions: readonly SignedTransaction[], timestamp: number): readonly RefusedError[] {
    return this.#mine(transactions, timestamp).refused.map(({ error }) => error);
  }

  #mine(transactions: readonly SignedTransaction[], timestamp: number | undefined): AddedBlock {
    this.#requireWriting();
    this.#adding?.finish();
    const isInOrder = timestamp === undefined || timestamp >= this.head().header.timestamp;
    invariant(isInOrder, 'no block is before the one before it');
    const added = atOnce(this.#producer.produce(transactions, { timestamp }));
    if (timestamp !== undefined) this.clock.increase(Math.max(0, timestamp - this.clock.now()));
    this.#announce(added);
    return added;
  }

  /**
   * Begins to make a block like `mine`, in several goes. When the time is over it takes no more transactions: at least
   * one is taken, and the rest waits for later blocks.
   *
   * @param timeLimit milliseconds from now
   * @throws NoProducerKeyError, and RefusedError while writes are paused
   */
  beginBlock(timeLimit: number): BlockSteps {
    this.#requireWriting();
    this.#adding?.finish();
    return this.#begin(this.#producer.produce(this.#pool.transactions(), { timeLimit }));
  }

  /**
   * Adds a block that was made elsewhere.
   *
   * @throws BlockRejectedError, and RefusedError while writes are paused; nothing is changed then
   */
  importBlock(block: Block): BlockSummary {
    this.#requireWriting();
    this.#adding?.finish();
    const added = atOnce(this.#producer.import(block));
    this.#announce(added);
    return added.summary;
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
    this.#requireWriting();
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
    const isMore = this.#pool.catchUp(until);
    this.#notifyDropped();
    return isMore;
  }

  /** Whether this node is generating blocks: mining is on, no pause, and it holds a producer's consensus key. */
  isMining(): boolean {
    const isOn = this.#mining && this.#production !== 'none' && this.#pausedFor === undefined;
    return isOn && this.holdsProducerKey();
  }

  /** Whether this node holds the consensus key of any account of the consensus configuration. */
  holdsProducerKey(): boolean {
    return this.#producer.holdsAnyKey();
  }

  /** Whether this node holds the consensus key that the next block has to be signed with. */
  isMyTurn(): boolean {
    return this.#producer.holdsNextKey();
  }

  /** Blocks of the next number or later that the next producer's key has signed, whatever the chain has. */
  signedBefore(): SignedBefore {
    return this.#producer.signedBefore();
  }

  /** Block generation goes on; with instant production what waits gets its blocks at once. */
  startMining(): void {
    this.#mining = true;
    this.#mineWaiting();
  }

  stopMining(): void {
    this.#mining = false;
  }

  /** From now on nothing is written, and whatever would is refused with the reason. Reading goes on. */
  pauseWrites(reason: string): void {
    this.#pausedFor = reason;
    this.#adding?.discard(reason);
  }

  /** Ends a pause; with instant production what waits gets its blocks at once. */
  resumeWrites(): void {
    this.#pausedFor = undefined;
    this.#mineWaiting();
  }

  /** What a test has set of the clock and of the production of blocks, which a snapshot holds as well. */
  get settings(): LedgerSettings {
    return { secondsAhead: this.clock.ahead, mining: this.#mining };
  }

  /**
   * Takes the newest blocks back, as if they had never come; their transactions do not wait again. What waits is
   * checked again, as after `forgetPast`; with instant production it gets its blocks. The clock stays where it is,
   * unless another setting is given.
   *
   * @param block the head afterwards: not before `oldestKept`; the head itself only where it is given what waits
   * @throws ChainDamagedError where the state that comes out is not that of the block, RefusedError while writes are
   *   paused, and what `Store.revertBlocks` throws; nothing is changed then
   */
  revertTo(block: number, { settings, ...former }: FormerPast = {}): void {
    this.#requireWriting();
    const waiting = former.pending && readWaiting(former.pending);
    revertChain(this.#store, block, former);
    if (waiting !== undefined) this.#pool.replaceAll(waiting);
    if (settings !== undefined) this.#set(settings);
    this.forgetPast();
    this.#notifyDropped();
    this.#mineWaiting();
  }

  /**
   * Puts the chain of a store in the place of this one: nothing waits then, and the clock is where the settings say, or
   * where the new head is if that is later.
   *
   * @param source holds a checked chain of the same id, and no more than a chain
   * @throws RefusedError while writes are paused, and what `Store.replaceChain` throws; nothing is changed then
   */
  replaceChain(source: StoreReader, settings: LedgerSettings): void {
    this.#requireWriting();
    this.#store.replaceChain(source);
    this.#pool.replaceAll([]);
    this.#set(settings);
    this.forgetPast();
    this.clock.increase(Math.max(0, this.head().header.timestamp - this.clock.now()));
    this.#notifyDropped();
  }

  #set({ secondsAhead, mining }: LedgerSettings): void {
    this.clock.set(secondsAhead);
    this.#mining = mining;
  }

  /**
   * Follows a reorganisation: forgets what is held in memory of the chain, since the store holds another past now, in
   * which blocks of before may be missing or others. A block that is being added is given up; what waits is checked
   * again. Everybody who holds anything of the chain is told.
   */
  forgetPast(): void {
    this.#adding?.discard('the chain has another past');
    this.#state.reload();
    this.#pool.reload();
    this.forgetBlocks(Math.max(this.epoch + 1, this.#store.epoch()));
  }

  readonly #pendingContractAddressOf = (id: ContractId): Address | undefined =>
    this.#pool.state.native.contractAddress(id);

  #requireWriting(): void {
    if (this.#pausedFor !== undefined) refuse({ code: 'writesPaused', reason: this.#pausedFor });
  }

  #requireProducing(): void {
    if (this.#production === 'none' || !this.holdsProducerKey()) refuse({ code: 'makesNoBlocks' });
  }

  /** Whether a transaction gets its block when it comes. */
  #makesBlocksAtOnce(): boolean {
    return this.#production === 'instant' && this.isMining() && this.isMyTurn();
  }

  #mineWaiting(): void {
    while (this.#pool.size > 0 && this.#makesBlocksAtOnce()) this.mine();
  }

  #restorePending(): void {
    this.#pool.restore(this.#time.now() + PENDING_RESTORE_MS_MAX);
    this.#droppedAtOpen.push(...this.#pool.takeDropped());
    const stop = this.onDropped((dropped) => this.#droppedAtOpen.push(dropped));
    this.#mineWaiting();
    stop();
  }

  #begin(adding: AddingBlock): BlockSteps {
    this.#adding = new BlockSteps(adding, (added, until) => this.#announce(added, until));
    return this.#adding;
  }

  /** Brings the pool up to the new head, as far as there is time for it, then tells everyone. */
  #announce({ summary, refused, removedIds, work }: AddedBlock, until = Number.POSITIVE_INFINITY): void {
    this.#pool.rebase(removedIds, until);
    this.blockListeners.notify(summary, work);
    for (const drop of refused) this.droppedListeners.notify(drop);
    this.#notifyDropped();
  }

  #notifyDropped(): void {
    for (const drop of this.#pool.takeDropped()) this.droppedListeners.notify(drop);
  }
}
