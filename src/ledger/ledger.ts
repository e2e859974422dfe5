import { CLOCK_TIME_MAX } from '../limits.ts';
import type { Address, Block, ContractId, Hash, KeyPair, SignedTransaction } from '../protocol/index.ts';
import { invariant, pendingTransactionHash, processedTransactionHash } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import { setEngineBlock } from './apply-block.ts';
import { applyTransaction } from './apply-transaction.ts';
import type { AddedBlock, BlockWork } from './block-producer.ts';
import { BlockProducer } from './block-producer.ts';
import type { BlockSummary } from './chain.ts';
import { Chain } from './chain.ts';
import type { Clock } from './clock.ts';
import { MovableClock } from './clock.ts';
import type { Genesis } from './genesis.ts';
import { checkStoredChainId, chooseGenesis, storeGenesisBlock } from './genesis-block.ts';
import { chainIdOf } from './genesis-codec.ts';
import { LedgerQueries } from './ledger-queries.ts';
import { Listeners } from './listeners.ts';
import type { IncludedOperation, PendingOperation } from './operation-lookup.ts';
import { findOperation, pendingHashes, pendingOperation } from './operation-lookup.ts';
import { type DroppedTransaction, PendingPool } from './pending-pool.ts';
import { refuse } from './refusal.ts';
import { WorkingState } from './working-state.ts';

/** What a ledger is opened with. */
export interface LedgerOptions {
  readonly store: Store;
  /** What the chain begins with; without it the genesis that the store holds. */
  readonly genesis?: Genesis | undefined;
  readonly clock: Clock;
  /** The consensus keys that this node holds. */
  readonly keys: readonly KeyPair[];
  /**
   * When blocks are made: `instant` makes one for every transaction while mining is on; `onDemand` when `mine` is
   * called; with `none` they come from elsewhere, and transactions are not taken.
   */
  readonly production: 'instant' | 'onDemand' | 'none';
  /** Whether block generation is on at the start. */
  readonly mining: boolean;
}

/** What became of a submitted transaction. */
export interface Submission {
  /** Transaction hash of the first operation: the processed form when it is in a block, else the pending form. */
  readonly hash: Hash;
}

/** What a ledger is put together from. */
interface OpenedParts {
  readonly genesis: Genesis;
  readonly chainId: Hash;
  readonly chain: Chain;
  readonly state: WorkingState;
  readonly pool: PendingPool;
  readonly producer: BlockProducer;
  readonly clock: MovableClock;
}

/** The native ledger: the truth, and the only way to change it. Synchronous throughout, once it is open. */
export class Ledger extends LedgerQueries {
  readonly #chain: Chain;
  readonly #pool: PendingPool;
  readonly #producer: BlockProducer;
  readonly #clock: MovableClock;
  readonly #production: LedgerOptions['production'];
  readonly #blockListeners = new Listeners<[block: BlockSummary, work: BlockWork]>();
  readonly #acceptedListeners = new Listeners<[hashes: readonly Hash[]]>();
  readonly #droppedListeners = new Listeners<[dropped: DroppedTransaction]>();
  readonly #droppedAtOpen: DroppedTransaction[] = [];
  #mining: boolean;
  /** Why nothing is written for now; undefined while it is. */
  #pausedFor: string | undefined;

  private constructor({ store, production, mining }: LedgerOptions, parts: OpenedParts) {
    super({ ...parts, store });
    this.#chain = parts.chain;
    this.#pool = parts.pool;
    this.#producer = parts.producer;
    this.#clock = parts.clock;
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
    const { store, keys } = options;
    const genesis = chooseGenesis(store, options.genesis);
    const chainId = chainIdOf(genesis);
    const chain = new Chain(store);
    const state = await WorkingState.open(store, chain, genesis.hardfork);
    if (chain.isEmpty) storeGenesisBlock(store, chain, state, genesis, chainId);
    else checkStoredChainId(state, chainId);
    const clock = new MovableClock(options.clock);
    const leaving = (gone: readonly string[]): readonly number[] => pool.leaving(gone);
    const producer = new BlockProducer({ store, chain, state, genesis, chainId, clock, keys, leaving });
    const another = (): WorkingState => state.another(chain);
    const pool = new PendingPool(store, another, (poolState, transaction) => {
      setEngineBlock(poolState, producer.nextInputs(), genesis.network.chainId);
      return applyTransaction(poolState, chain, chainId, transaction).transaction.feesCollected;
    });
    const ledger = new Ledger(options, { genesis, chainId, chain, state, pool, producer, clock });
    ledger.#takeInPending();
    return ledger;
  }

  // Transactions

  /** Accepts a transaction, or throws `RefusedError` and changes nothing. */
  submit(transaction: SignedTransaction): Submission {
    if (this.#makesBlocksAtOnce()) {
      const { summary, applied } = this.#addInOwnBlock(transaction);
      return { hash: processedTransactionHash(summary.number, 0, firstOf(applied.operationHashes)) };
    }
    this.#requireWriting();
    this.#requireProducing();
    this.#pool.add(transaction);
    const hashes = pendingHashes(transaction);
    this.#acceptedListeners.notify(hashes);
    return { hash: firstOf(hashes) };
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
    if (this.#pool.has(transaction)) refuse({ code: 'alreadyPending' });
    const added = this.#producer.produce([transaction], (error) => {
      throw error;
    });
    this.#acceptedListeners.notify(added.applied.operationHashes.map(pendingTransactionHash));
    this.#announce(added);
    return added;
  }

  /** Finds an operation by either form of its transaction hash (specification 2.4). */
  findOperation(hash: Hash): IncludedOperation | PendingOperation | undefined {
    return findOperation(hash, this.#chain, this.#pool, this.#pendingContractAddressOf);
  }

  /** Transactions that wait for a block. */
  get pendingCount(): number {
    return this.#pool.size;
  }

  /** Operations that wait for a block, in order. */
  pendingOperations(): PendingOperation[] {
    const pending: PendingOperation[] = [];
    for (const transaction of this.#pool.transactions()) {
      for (let index = 0; index < transaction.operations.length; index += 1) {
        pending.push(pendingOperation({ transaction, index }, this.#pendingContractAddressOf));
      }
    }
    return pending;
  }

  /** Pending transactions of before that the rules did not allow any more when the ledger was opened. */
  get droppedAtOpen(): readonly DroppedTransaction[] {
    return this.#droppedAtOpen;
  }

  // Blocks

  /**
   * Makes a block of the pending transactions, even an empty one, whether or not mining is on.
   *
   * @throws NoProducerKeyError, and RefusedError while writes are paused; nothing is changed then
   */
  mine(): BlockSummary {
    this.#requireWriting();
    const added = this.#producer.produce(this.#pool.transactions());
    this.#announce(added);
    return added.summary;
  }

  /**
   * Adds a block that was made elsewhere.
   *
   * @throws BlockRejectedError, and RefusedError while writes are paused; nothing is changed then
   */
  importBlock(block: Block): BlockSummary {
    this.#requireWriting();
    const added = this.#producer.import(block);
    this.#announce(added);
    return added.summary;
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
  }

  /** Ends a pause; with instant production what waits gets its blocks at once. */
  resumeWrites(): void {
    this.#pausedFor = undefined;
    this.#mineWaiting();
  }

  // Time

  /** The ledger's time of day in Unix seconds. */
  now(): number {
    return this.#clock.now();
  }

  /** Moves the time of the next blocks forward; returns the total adjustment in seconds. */
  increaseTime(seconds: number): number {
    const time = this.#clock.now() + seconds;
    if (time > CLOCK_TIME_MAX) refuse({ code: 'timeOutOfRange', time, latest: CLOCK_TIME_MAX });
    return this.#clock.increase(seconds);
  }

  /** Seconds by which the ledger's time of day is ahead of the system's. */
  get secondsAhead(): number {
    return this.#clock.ahead;
  }

  // Events

  /**
   * Tells of every accepted transaction the hashes of its operations in the pending form, also when it gets its
   * block at once; before that block is told of. Returns the function that ends it.
   */
  onAccepted(listener: (hashes: readonly Hash[]) => void): () => void {
    return this.#acceptedListeners.add(listener);
  }

  /** Tells of every block after it is stored, and what it took. Returns the function that ends it. */
  onBlock(listener: (block: BlockSummary, work: BlockWork) => void): () => void {
    return this.#blockListeners.add(listener);
  }

  /** Tells of every pending transaction that is dropped, with the reason. */
  onDropped(listener: (dropped: DroppedTransaction) => void): () => void {
    return this.#droppedListeners.add(listener);
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

  #takeInPending(): void {
    this.#droppedAtOpen.push(...this.#pool.restore());
    const stop = this.onDropped((dropped) => this.#droppedAtOpen.push(dropped));
    this.#mineWaiting();
    stop();
  }

  /** Brings the pool up to the new head, then tells everyone. */
  #announce({ summary, refused, gone, work }: AddedBlock): void {
    const dropped = [...refused, ...this.#pool.rebase(gone)];
    this.#blockListeners.notify(summary, work);
    for (const drop of dropped) this.#droppedListeners.notify(drop);
  }
}

function firstOf<T>(parts: readonly T[]): T {
  const [first] = parts;
  invariant(first !== undefined, 'an accepted transaction has at least one operation');
  return first;
}
