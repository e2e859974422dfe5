import type { Hardfork } from '../evm/index.ts';
import { CALL_GAS_MAX, CLOCK_TIME_MAX } from '../limits.ts';
import type {
  AccountId,
  Address,
  Block,
  BlockId,
  ContractId,
  Hash,
  KeyPair,
  SignedTransaction,
} from '../protocol/index.ts';
import { accountAddress, addressOwner, invariant, pendingTransactionHash } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import { setEngineBlock } from './apply-block.ts';
import { applyTransaction } from './apply-transaction.ts';
import type { AddedBlock } from './block-producer.ts';
import { BlockProducer } from './block-producer.ts';
import type { BlockSummary } from './chain.ts';
import { Chain } from './chain.ts';
import type { Clock } from './clock.ts';
import { MovableClock } from './clock.ts';
import { HistoryDisabledError } from './errors.ts';
import type { CallMessage, CallOutcome, Receiver } from './execution.ts';
import { estimate, receiverAt, runCall } from './execution.ts';
import type { Genesis } from './genesis.ts';
import { chainIdOf, checkGenesis } from './genesis.ts';
import { checkStoredGenesis, storeGenesisBlock } from './genesis-block.ts';
import { Listeners } from './listeners.ts';
import type { LogMatches, LogQuery } from './log-lookup.ts';
import { findLogs } from './log-lookup.ts';
import type { Network } from './network.ts';
import { networkOf } from './network.ts';
import type { IncludedOperation, PendingOperation } from './operation-lookup.ts';
import {
  findOperation,
  includedOperation,
  operationAt,
  pendingHashes,
  pendingOperation,
} from './operation-lookup.ts';
import { PendingPool } from './pending-pool.ts';
import type { Account, OperationReceipt } from './records.ts';
import { type RefusedError, refuse } from './refusal.ts';
import { WorkingState } from './working-state.ts';

/** What a ledger is opened with. */
export interface LedgerOptions {
  readonly store: Store;
  readonly genesis: Genesis;
  readonly clock: Clock;
  /** The consensus keys that this node holds. */
  readonly keys: readonly KeyPair[];
  /** When blocks are made: `instant` makes one for every transaction while mining is on. */
  readonly production: 'instant' | 'onDemand';
  /** Whether block generation is on at the start. */
  readonly mining: boolean;
}

/** What became of a submitted transaction. */
export interface Submission {
  /** Transaction hash of the first operation: the processed form when it is in a block, else the pending form. */
  readonly hash: Hash;
}

/** A pending transaction that the rules do not allow any more. */
export interface DroppedTransaction {
  readonly transaction: SignedTransaction;
  readonly error: RefusedError;
}

/** The native ledger: the truth, and the only way to change it. Synchronous throughout, once it is open. */
export class Ledger {
  /** The native chain id, which signatures cover. */
  readonly chainId: Hash;
  readonly network: Network;
  readonly hardfork: Hardfork;
  /** The first account of the consensus configuration. */
  readonly coinbase: Address;
  /** The account that pays for registrations. */
  readonly registrar: AccountId;

  readonly #store: Store;
  readonly #chain: Chain;
  readonly #state: WorkingState;
  readonly #pool: PendingPool;
  readonly #producer: BlockProducer;
  readonly #clock: MovableClock;
  readonly #production: LedgerOptions['production'];
  readonly #blockListeners = new Listeners<BlockSummary>();
  readonly #acceptedListeners = new Listeners<readonly Hash[]>();
  readonly #droppedListeners = new Listeners<DroppedTransaction>();
  #mining: boolean;

  private constructor(options: LedgerOptions, chain: Chain, state: WorkingState, pending: WorkingState) {
    const { genesis, store, keys } = options;
    const [coinbase] = genesis.producers;
    invariant(coinbase !== undefined, 'a checked genesis has producers');
    this.chainId = chainIdOf(genesis);
    this.network = networkOf(genesis.network);
    this.hardfork = genesis.hardfork;
    this.coinbase = accountAddress(coinbase);
    this.registrar = genesis.registrar;
    this.#store = store;
    this.#chain = chain;
    this.#state = state;
    this.#clock = new MovableClock(options.clock);
    this.#production = options.production;
    this.#mining = options.mining;
    this.#producer = new BlockProducer({
      ...options,
      chain,
      state,
      chainId: this.chainId,
      clock: this.#clock,
      keys,
    });
    this.#pool = new PendingPool(pending, (poolState, transaction) => {
      setEngineBlock(poolState, this.#producer.nextInputs(), this.network.chainId);
      applyTransaction(poolState, chain, this.chainId, transaction);
    });
  }

  /**
   * Opens the ledger of a store; an empty store gets the genesis block. Throws `InvalidGenesisError`,
   * `GenesisMismatchError` and what the store throws.
   */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const { store, genesis } = options;
    checkGenesis(genesis);
    const chain = new Chain(store);
    const state = await WorkingState.open(store, chain, genesis.hardfork);
    if (chain.isEmpty) storeGenesisBlock(store, chain, state, genesis);
    else checkStoredGenesis(state, chainIdOf(genesis));
    const pending = await WorkingState.open(store, chain, genesis.hardfork);
    return new Ledger(options, chain, state, pending);
  }

  // Blocks and operations

  head(): BlockSummary {
    return this.#chain.head();
  }

  blockByNumber(number: number): BlockSummary | undefined {
    return this.#chain.blockByNumber(number);
  }

  blockById(id: BlockId): BlockSummary | undefined {
    return this.#chain.blockById(id);
  }

  /** The operations of a block in order; none where there is no such block. */
  blockTransactions(number: number): IncludedOperation[] {
    const block = this.#chain.blockByNumber(number);
    if (block === undefined) return [];
    return Array.from(this.#chain.operations(number), (placed) =>
      includedOperation(block, placed, this.contractAddressOf),
    );
  }

  /** A block in its native form, transactions included. */
  nativeBlock(number: number): Block | undefined {
    const block = this.#chain.blockByNumber(number);
    if (block === undefined) return undefined;
    const transactions = Array.from(this.#chain.transactions(number), ({ transaction }) => transaction);
    return { ...block.header, transactions };
  }

  operationAt(block: number, index: number): IncludedOperation | undefined {
    return operationAt(block, index, this.#chain, this.contractAddressOf);
  }

  /** Finds an operation by either form of its transaction hash (specification 2.4). */
  findOperation(hash: Hash): IncludedOperation | PendingOperation | undefined {
    return findOperation(hash, this.#chain, this.#pool, this.#pendingContractAddressOf);
  }

  receiptOf(block: number, index: number): OperationReceipt | undefined {
    return this.#chain.receiptAt(block, index);
  }

  /** The first `limit` logs that a query asks for, in chain order. */
  logs(query: LogQuery, limit: number): LogMatches {
    return findLogs(query, limit, this.#store, this.#chain);
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

  // State at the head

  balanceOf(address: Address): bigint {
    return this.#state.engine.balanceOf(address);
  }

  /** Contract code; empty where there is none. */
  codeAt(address: Address): Uint8Array {
    return this.#state.engine.codeAt(address);
  }

  /** A 32-byte word of a contract's storage; zero where nothing is stored. */
  storageAt(address: Address, slot: Hash): Uint8Array {
    return this.#state.engine.storageAt(address, slot);
  }

  /** Included operations that the address paid for. Throws `HistoryDisabledError`. */
  operationCount(address: Address): number {
    if (!this.#store.history) throw new HistoryDisabledError();
    return this.#store.operationCount(address);
  }

  account(id: AccountId): Account | undefined {
    return this.#state.native.account(id);
  }

  accountByAddress(address: Address): Account | undefined {
    const owner = addressOwner(address);
    return owner.kind === 'account' ? this.account(owner.id) : undefined;
  }

  accountByName(name: string): AccountId | undefined {
    return this.#state.native.accountByName(name);
  }

  accountByEvmAddress(address: Address): AccountId | undefined {
    return this.#state.native.accountByEvmAddress(address);
  }

  contractIdAt(address: Address): ContractId | undefined {
    return this.#state.native.contractId(address);
  }

  readonly contractAddressOf = (id: ContractId): Address | undefined =>
    this.#state.native.contractAddress(id);

  /** What would receive something that is sent to an address. Throws `RefusedError` where nothing would. */
  receiverAt(address: Address): Receiver {
    return receiverAt(this.#state, address);
  }

  // Executions that leave nothing behind

  /** Runs a call on the state and in the context of the head block. */
  call(message: CallMessage): CallOutcome {
    const { number, header } = this.head();
    const { timestamp, account, rand } = header;
    const inputs = { number, timestamp, account, rand };
    return runCall(this.#state, inputs, this.network.chainId, message, message.gas ?? CALL_GAS_MAX);
  }

  /** The least fee ceiling with which the message's operation succeeds in the next block. */
  estimateGas(message: CallMessage): bigint {
    const inputs = this.#producer.nextInputs();
    return estimate(this.#state, message, (gas) =>
      runCall(this.#state, inputs, this.network.chainId, message, gas),
    );
  }

  // Transactions and blocks

  /** Accepts a transaction, or throws `RefusedError` and changes nothing. */
  submit(transaction: SignedTransaction): Submission {
    if (this.#mining && this.#production === 'instant') {
      return { hash: firstOf(this.submitInOwnBlock(transaction)).hash };
    }
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
    if (this.#pool.has(transaction)) refuse({ code: 'alreadyPending' });
    const raise = (_transaction: SignedTransaction, error: RefusedError): never => {
      throw error;
    };
    const added = this.#producer.produce([transaction], raise);
    this.#acceptedListeners.notify(added.applied.operationHashes.map(pendingTransactionHash));
    this.#announce(added);
    return this.blockTransactions(added.summary.number);
  }

  /** Makes a block of the pending transactions, even an empty one, whether or not mining is on. */
  mine(): BlockSummary {
    const refused: DroppedTransaction[] = [];
    const added = this.#producer.produce(this.#pool.transactions(), (transaction, error) =>
      refused.push({ transaction, error }),
    );
    this.#announce(added, refused);
    return added.summary;
  }

  /** Adds a block that was made elsewhere. Throws `BlockRejectedError`; nothing is changed then. */
  importBlock(block: Block): BlockSummary {
    const added = this.#producer.import(block);
    this.#announce(added);
    return added.summary;
  }

  isMining(): boolean {
    return this.#mining;
  }

  /** Block generation goes on; with instant production what waits gets its blocks at once. */
  startMining(): void {
    this.#mining = true;
    if (this.#production === 'instant') while (this.#pool.size > 0) this.mine();
  }

  stopMining(): void {
    this.#mining = false;
  }

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

  /**
   * Tells of every accepted transaction the hashes of its operations in the pending form, also when it gets its
   * block at once; before that block is told of. Returns the function that ends it.
   */
  onAccepted(listener: (hashes: readonly Hash[]) => void): () => void {
    return this.#acceptedListeners.add(listener);
  }

  /** Tells of every block after it is stored. Returns the function that ends it. */
  onBlock(listener: (block: BlockSummary) => void): () => void {
    return this.#blockListeners.add(listener);
  }

  /** Tells of every pending transaction that is dropped, with the reason. */
  onDropped(listener: (dropped: DroppedTransaction) => void): () => void {
    return this.#droppedListeners.add(listener);
  }

  readonly #pendingContractAddressOf = (id: ContractId): Address | undefined =>
    this.#pool.state.native.contractAddress(id);

  /** Brings the pool up to the new head, then tells everyone. */
  #announce({ summary, applied }: AddedBlock, refused: readonly DroppedTransaction[] = []): void {
    const gone = [
      ...applied.applied.map(({ transaction }) => transaction),
      ...refused.map((drop) => drop.transaction),
    ];
    const dropped = [...refused, ...this.#pool.rebase(gone)];
    this.#blockListeners.notify(summary);
    for (const drop of dropped) this.#droppedListeners.notify(drop);
  }
}

function firstOf<T>(parts: readonly T[]): T {
  const [first] = parts;
  invariant(first !== undefined, 'an accepted transaction has at least one operation');
  return first;
}
