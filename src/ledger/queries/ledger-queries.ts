import { BoundedMap } from '../../bounded-map.ts';
import { type BlockContext, type Hardfork, type NamedPrecompile, precompilesOf } from '../../evm/index.ts';
import { CALL_GAS_MAX, PAST_STATES_MAX } from '../../limits.ts';
import type {
  AccountId,
  Address,
  Block,
  BlockId,
  ContractId,
  Hash,
  SignedTransaction,
} from '../../protocol/index.ts';
import { accountAddress, addressOwner } from '../../protocol/index.ts';
import type { ChainReader } from '../../store/index.ts';
import { blockContextOf, nextInputs } from '../blocks/index.ts';
import {
  type AccessOutcome,
  accessListOf,
  type CallMessage,
  type CallOutcome,
  deadlineOf,
  estimate,
  estimateTransaction,
  nothingAccessed,
  requireFunded,
  runCall,
  SeparateState,
  Simulation,
} from '../calls/index.ts';
import {
  type Account,
  type BlockSummary,
  Chain,
  MovableClock,
  type OperationReceipt,
} from '../chain/index.ts';
import { HistoryDisabledError } from '../errors/index.ts';
import { type Genesis, type Network, producerOf, stateRulesOf } from '../genesis/index.ts';
import { Listeners } from '../listeners.ts';
import { type Receiver, receiverAt, requireNoReference } from '../operations/index.ts';
import {
  type NativeState,
  PastReads,
  PastState,
  type StateRules,
  type WorkingState,
} from '../state/index.ts';
import { findLogs, type LogMatches, type LogQuery } from './log-lookup.ts';
import {
  type IncludedOperation,
  includedOperation,
  operationAt,
  operationOfSender,
} from './operation-lookup.ts';

export interface LedgerParts {
  readonly genesis: Genesis;
  readonly chainId: Hash;
  readonly store: ChainReader;
  readonly chain: Chain;
  readonly state: WorkingState;
  /** Look-ups in that state without its engine, where it is a past one. */
  readonly past?: PastReads;
  /** The time of the next block. */
  readonly clock: MovableClock;
}

/** The queries of a ledger: the chain, the state at its head, and executions that leave nothing behind. */
export class LedgerQueries {
  /** What the chain began with. */
  readonly genesis: Genesis;
  /** The native chain id, which signatures cover. */
  readonly chainId: Hash;
  readonly network: Network;
  readonly hardfork: Hardfork;
  /** The first account of the consensus configuration. */
  readonly coinbase: Address;
  /** The account that pays for registrations. */
  readonly registrar: AccountId;

  /** How the state is kept and executed on. */
  readonly rules: StateRules;

  readonly #parts: LedgerParts;
  readonly #forgottenListeners = new Listeners<[]>();
  #epoch: number;
  /** Made when it is first needed. */
  #separate: SeparateState | undefined;
  readonly #pastState = new PastState(() => this.#parts.state);
  readonly #past = new BoundedMap<number, LedgerQueries>(PAST_STATES_MAX);
  #context: { readonly head: BlockSummary; readonly block: BlockContext } | undefined;

  constructor(parts: LedgerParts) {
    const { genesis, chainId } = parts;
    this.genesis = genesis;
    this.chainId = chainId;
    this.network = genesis.network;
    this.hardfork = genesis.hardfork;
    this.coinbase = accountAddress(producerOf(genesis, 0));
    this.registrar = genesis.registrar;
    this.rules = stateRulesOf(genesis);
    this.#parts = parts;
    this.#epoch = parts.store.epoch();
  }

  // Blocks that vanish

  /** Rises whenever blocks of before vanish, also from one run of the node to the next. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Subscribes to reorganisations: blocks of before have vanished, or may be others, so that whatever is held of
   * blocks, of their operations or of the state is to be forgotten. The ledger reads the new chain by then. Returns the
   * function that unsubscribes.
   */
  onForgotten(listener: () => void): () => void {
    return this.#forgottenListeners.add(listener);
  }

  /** The oldest block that the chain can be taken back to. */
  get oldestKept(): number {
    const { store, chain } = this.#parts;
    return (store.undoStart() ?? chain.head().number + 1) - 1;
  }

  /**
   * The chain as it was before one of its blocks, which is then what its head is; for the block after the head as it is
   * now. Answers stay right while blocks are added: ask anew after they have vanished. A look-up in its state costs
   * about a quarter of a microsecond for each block since, the first one some more.
   *
   * @throws StoreError STORE_NOT_KEPT for a block before `oldestKept`, or beyond the one after the head
   */
  stateBefore(block: number): LedgerQueries {
    const { genesis, chainId } = this.#parts;
    const store = this.#parts.store.before(block);
    const known = this.#past.get(block);
    if (known !== undefined) return known;
    const chain = new Chain(store);
    const { timestamp } = chain.head().header;
    const clock = new MovableClock({ now: () => timestamp });
    const shared = this.#pastState;
    const past = new LedgerQueries({
      ...{ genesis, chainId, store, chain, clock, past: new PastReads(store, chain, this.rules) },
      get state() {
        return shared.at(store, chain);
      },
    });
    this.#past.set(block, past);
    return past;
  }

  /** Forgets what is held of the state, which is another one now after the same blocks. */
  protected forgetState(): void {
    this.#past.clear();
    this.#parts.chain.forgetRand();
  }

  /** Forgets the blocks, and notifies the listeners of `onForgotten`. */
  protected forgetBlocks(epoch: number): void {
    this.#epoch = epoch;
    this.#past.clear();
    this.#parts.chain.reload();
    this.#forgottenListeners.notify();
  }

  // Blocks and operations

  head(): BlockSummary {
    return this.#parts.chain.head();
  }

  blockByNumber(number: number): BlockSummary | undefined {
    return this.#parts.chain.blockByNumber(number);
  }

  blockById(id: BlockId): BlockSummary | undefined {
    return this.#parts.chain.blockById(id);
  }

  /** The operations of a block in order; none where there is no such block. */
  blockTransactions(number: number): IncludedOperation[] {
    const block = this.#parts.chain.blockByNumber(number);
    if (block === undefined) return [];
    return Array.from(this.#parts.chain.operations(number), (placed) =>
      includedOperation(block, placed, this.contractAddressOf),
    );
  }

  /** A block in its native form, transactions included. */
  nativeBlock(number: number): Block | undefined {
    const block = this.#parts.chain.blockByNumber(number);
    if (block === undefined) return undefined;
    const transactions = Array.from(this.#parts.chain.transactions(number), ({ transaction }) => transaction);
    return { ...block.header, transactions };
  }

  operationAt(block: number, index: number): IncludedOperation | undefined {
    return operationAt(block, index, this.#parts.chain, this.contractAddressOf);
  }

  /** The included operation that carries the transaction of Ethereum's with a nonce of a sender. */
  operationOfSender(sender: Address, nonce: bigint): IncludedOperation | undefined {
    return operationOfSender({ sender, nonce }, this.#parts.chain, this.contractAddressOf);
  }

  /** The transaction of a block that holds the operation at an index, with its results. */
  transactionAt(block: number, index: number): SignedTransaction | undefined {
    return this.#parts.chain.transactionAt(block, index)?.transaction;
  }

  receiptOf(block: number, index: number): OperationReceipt | undefined {
    return this.#parts.chain.receiptAt(block, index);
  }

  /** The first `limit` logs that a query asks for, in chain order. */
  logs(query: LogQuery, limit: number): LogMatches {
    return findLogs(query, limit, this.#parts.store, this.#parts.chain);
  }

  // State at the head

  get #reads(): Pick<PastReads, 'balanceOf' | 'codeAt' | 'storageAt'> {
    const { past, state } = this.#parts;
    return past ?? state;
  }

  get #native(): NativeState {
    return (this.#parts.past ?? this.#parts.state).native;
  }

  /** Whether the chain takes Ethereum's transactions. */
  get knowsEthereum(): boolean {
    return this.genesis.ethereum !== undefined;
  }

  /** Whole units of the core asset. */
  balanceOf(address: Address): bigint {
    return this.#reads.balanceOf(address);
  }

  /** What the EVM knows as the balance: on chains that do not know Ethereum one Wei is a native unit. */
  weiBalanceOf(address: Address): bigint {
    const { past, state } = this.#parts;
    return past === undefined ? state.engine.balanceOf(address) : past.weiBalanceOf(address);
  }

  /** Units of the core asset as the EVM counts them, in Wei. */
  inWei(units: bigint): bigint {
    return units * this.rules.weiPerUnit;
  }

  /** Of a key's account, how many of its Ethereum transactions were included; of a contract, EIP-161's count. */
  nonceOf(address: Address): bigint {
    const { past, state } = this.#parts;
    return past === undefined ? (state.engine.accountState(address)?.nonce ?? 0n) : past.nonceOf(address);
  }

  /** Contract code; empty where there is none. */
  codeAt(address: Address): Uint8Array {
    return this.#reads.codeAt(address);
  }

  /** A 32-byte word of a contract's storage; zero where nothing is stored. */
  storageAt(address: Address, slot: Hash): Uint8Array {
    return this.#reads.storageAt(address, slot);
  }

  /** Whether the store counts the operations that addresses paid for. */
  get hasHistory(): boolean {
    return this.#parts.store.history;
  }

  /** Included operations that the address paid for. Throws `HistoryDisabledError`. */
  operationCount(address: Address): number {
    if (!this.#parts.store.history) throw new HistoryDisabledError();
    return this.#parts.store.operationCount(address);
  }

  account(id: AccountId): Account | undefined {
    return this.#native.account(id);
  }

  accountByAddress(address: Address): Account | undefined {
    const owner = addressOwner(address);
    return owner.kind === 'account' ? this.account(owner.id) : undefined;
  }

  accountByName(name: string): AccountId | undefined {
    return this.#native.accountByName(name);
  }

  accountByEvmAddress(address: Address): AccountId | undefined {
    return this.#native.accountByEvmAddress(address);
  }

  contractIdAt(address: Address): ContractId | undefined {
    return this.#native.contractId(address);
  }

  readonly contractAddressOf = (id: ContractId): Address | undefined => this.#native.contractAddress(id);

  /** The account or contract at an address. Throws `RefusedError` where there is neither. */
  receiverAt(address: Address): Receiver {
    return receiverAt(this.#parts.state, address);
  }

  /** Throws `RefusedError` for an address that is nothing but the EVM address which is registered for an account. */
  requireNoReference(address: Address): void {
    requireNoReference(this.#native, address);
  }

  /** The precompiled contracts of the chain's fork. */
  precompiles(): readonly NamedPrecompile[] {
    return precompilesOf(this.hardfork);
  }

  // Executions that leave nothing behind

  /** Runs a call on the state and in the context of the head block. */
  call(message: CallMessage): CallOutcome {
    const allowance = { gas: message.gas ?? CALL_GAS_MAX, deadline: deadlineOf(message) };
    const block = overridden(this.#headContext(), message);
    return this.#onState(message, (state) =>
      requireFunded(state, message, runCall(state, block, message, allowance)),
    );
  }

  /** Runs a call in the context of the next block, on a state other than that of the head where there is one. */
  callOn(on: WorkingState | undefined, message: CallMessage): CallOutcome {
    const allowance = { gas: message.gas ?? CALL_GAS_MAX, deadline: deadlineOf(message) };
    const block = overridden(this.#nextContext(), message);
    const work = (state: WorkingState): CallOutcome =>
      requireFunded(state, message, runCall(state, block, message, allowance));
    return on === undefined ? this.#onState(message, work) : work(on);
  }

  /** Runs a call as `call` does, and tells what it accessed. */
  callNotingAccess(message: CallMessage): AccessOutcome {
    const allowance = { gas: message.gas ?? CALL_GAS_MAX, deadline: deadlineOf(message) };
    const block = overridden(this.#headContext(), message);
    const accessed = nothingAccessed();
    const outcome = this.#separateState().run(
      message.overrides?.accounts ?? [],
      (state) => requireFunded(state, message, runCall(state, block, message, allowance)),
      accessed,
    );
    return {
      outcome,
      accessList: accessListOf(accessed, message, { coinbase: block.coinbase, hardfork: this.hardfork }),
    };
  }

  /** Begins blocks of calls on this state. @param milliseconds for all of them together */
  simulation(milliseconds: number): Simulation {
    return new Simulation(this.#separateState(), milliseconds);
  }

  /** Does work on the state that a message sees. */
  #onState<T>({ overrides }: CallMessage, work: (state: WorkingState) => T): T {
    if (overrides === undefined || overrides.accounts.length === 0) return work(this.#parts.state);
    return this.#separateState().run(overrides.accounts, work);
  }

  #separateState(): SeparateState {
    const { state, store, chain } = this.#parts;
    this.#separate ??= new SeparateState(state, store, chain);
    return this.#separate;
  }

  /** The block context of calls at the head: made once for each head. */
  #headContext(): BlockContext {
    const head = this.head();
    if (this.#context?.head !== head) {
      const { timestamp, account, rand } = head.header;
      const inputs = { number: head.number, timestamp, account, rand };
      this.#context = { head, block: blockContextOf(inputs, this.network.chainId, this.rules) };
    }
    return this.#context.block;
  }

  /**
   * The least gas with which a transaction of Ethereum's that sends the message succeeds in the next block.
   *
   * @param on a state other than that of the head
   */
  estimateTransaction(message: CallMessage, on?: WorkingState): bigint {
    const block = overridden(this.#nextContext(), message);
    const deadline = deadlineOf(message);
    const work = (state: WorkingState): bigint =>
      estimateTransaction(state, message, (gas) => runCall(state, block, message, { gas, deadline }));
    return on === undefined ? this.#onState(message, work) : work(on);
  }

  #nextContext(): BlockContext {
    return blockContextOf(nextInputs(this.#parts), this.network.chainId, this.rules);
  }

  /** The least fee ceiling with which the message's operation succeeds in the next block. */
  estimateGas(message: CallMessage): bigint {
    const block = overridden(this.#nextContext(), message);
    const deadline = deadlineOf(message);
    return this.#onState(message, (state) =>
      estimate(state, message, (gas) => runCall(state, block, message, { gas, deadline })),
    );
  }
}

/** A block's context as a message sees it. */
function overridden(block: BlockContext, { overrides }: CallMessage): BlockContext {
  return overrides === undefined ? block : { ...block, ...overrides.block };
}
