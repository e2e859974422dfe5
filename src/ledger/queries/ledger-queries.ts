import { BoundedMap } from '../../bounded-map.ts';
import type { BlockContext } from '../../evm/index.ts';
import { CALL_GAS_MAX, PAST_STATES_MAX } from '../../limits.ts';
import { type Address, invariant } from '../../protocol/index.ts';
import { blockContextOf, nextInputs } from '../blocks/index.ts';
import {
  type AccessOutcome,
  accessListOf,
  type BlockOverride,
  type CallAllowance,
  type CallMessage,
  type CallOutcome,
  deadlineOf,
  type ExecutionListener,
  estimate,
  estimateTransaction,
  nothingAccessed,
  type Overrides,
  requireFunded,
  runCall,
  SeparateState,
  Simulation,
  type SimulationOptions,
  type StateRunner,
  type TriedCall,
} from '../calls/index.ts';
import { type BlockSummary, Chain, MovableClock } from '../chain/index.ts';
import { Listeners } from '../listeners.ts';
import { PastReads, PastState, type WorkingState } from '../state/index.ts';
import {
  type AccountInfo,
  modifiedAccounts,
  type ReplayedOperation,
  type ReplayObserver,
  replayOperations,
  type SlotRange,
  type StoredSlots,
  slotsOf,
  type TracedBuild,
  type TracedRun,
  TracedStates,
  tracedRun,
} from '../traces/index.ts';
import { failedCall } from './failed-call.ts';
import { type LedgerParts, LedgerReads } from './ledger-reads.ts';
import { replayedOperations } from './replayed-operations.ts';

/** A place within a block. */
export interface PlaceWithin {
  readonly block: BlockSummary;
  /** Operations of it that have run. */
  readonly until: number;
  /** Called between them; it may throw to end it. */
  checkTime(): void;
}

/** For operations that nobody listens to. */
const SILENT = { before: () => undefined, after: () => undefined };

/** The queries of a ledger: the chain, the state at its head, and executions that leave nothing behind. */
export class LedgerQueries extends LedgerReads {
  readonly #forgottenListeners = new Listeners<[]>();
  #epoch: number;
  /** Made when it is first needed. */
  #separate: SeparateState | undefined;
  #pastState = new PastState(() => this.parts.state);
  readonly #past = new BoundedMap<number, LedgerQueries>(PAST_STATES_MAX);
  readonly #traced: TracedStates;
  #context: { readonly head: BlockSummary; readonly block: BlockContext } | undefined;

  constructor(parts: LedgerParts) {
    super(parts);
    this.#epoch = parts.store.epoch();
    this.#traced = parts.traced ?? new TracedStates(() => this.parts.state);
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
    const { store, chain } = this.parts;
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
    const { genesis, chainId } = this.parts;
    const store = this.parts.store.before(block);
    const known = this.#past.get(block);
    if (known !== undefined) return known;
    const chain = new Chain(store);
    const { timestamp } = chain.head().header;
    const clock = new MovableClock({ now: () => timestamp });
    const shared = this.#pastState;
    const past = new LedgerQueries({
      ...{
        genesis,
        chainId,
        store,
        chain,
        clock,
        traced: this.#traced,
        past: new PastReads(store, chain, this.rules),
        watch: this.parts.watch,
      },
      get state() {
        return shared.at(store, chain);
      },
    });
    this.#past.set(block, past);
    return past;
  }

  /** Forgets what was made by the rules of a genesis: the chain has another one now. */
  protected forgetGenesis(): void {
    this.#separate = undefined;
    this.#pastState = new PastState(() => this.parts.state);
    this.#context = undefined;
  }

  /** Forgets what is held of the state, which is another one now after the same blocks. */
  protected forgetState(): void {
    this.#past.clear();
    this.parts.chain.forgetRand();
  }

  /** Forgets the blocks, and notifies the listeners of `onForgotten`. */
  protected forgetBlocks(epoch: number): void {
    this.#epoch = epoch;
    this.#past.clear();
    this.parts.chain.reload();
    this.#forgottenListeners.notify();
  }

  // Executions that leave nothing behind

  /** Runs a call on the state and in the context of the head block. */
  call(message: CallMessage): CallOutcome {
    const allowance = { gas: message.gas ?? CALL_GAS_MAX, deadline: deadlineOf(message) };
    const block = overridden(this.#headContext(), message);
    return this.#onState(message, (state) =>
      requireFunded(state, message, this.#runTold(state, block, message, allowance)),
    );
  }

  /** Runs a call in the context of the next block, on a state other than that of the head where there is one. */
  callOn(on: WorkingState | undefined, message: CallMessage): CallOutcome {
    const allowance = { gas: message.gas ?? CALL_GAS_MAX, deadline: deadlineOf(message) };
    const block = overridden(this.#nextContext(), message);
    const work = (state: WorkingState): CallOutcome =>
      requireFunded(state, message, this.#runTold(state, block, message, allowance));
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

  /** Begins blocks of calls on this state. */
  simulation(options: SimulationOptions): Simulation {
    const { store, chain } = this.parts;
    const onState: StateRunner = options.tracesTransfers
      ? (overrides, work) => this.#traced.run('evm-calls', { store, chain }, overrides, work)
      : (overrides, work) => this.#separateState().run(overrides, work);
    return new Simulation(onState, options);
  }

  // Code that runs again

  /**
   * Runs the operations of a block again, on the state before it, for somebody who listens.
   *
   * @param until operations that are left out at the end begin with this index; absent: none
   * @throws StoreError STORE_NOT_KEPT, RefusedError where the engine has no room, and what the observer throws
   */
  replay(build: TracedBuild, block: BlockSummary, observer: ReplayObserver, until?: number): void {
    this.#replay(build, block, observer, until, () => undefined);
  }

  /**
   * Has calls run for somebody who listens, on the state and in the context of the head block, each on what those
   * before it have left.
   *
   * @param overrides of the first call's state, and of every call's block
   */
  traceCalls<T>(build: TracedBuild, overrides: Overrides | undefined, work: (run: TracedRun) => T): T {
    const { store, chain } = this.parts;
    const block = { ...this.#headContext(), ...overrides?.block };
    return this.#traced.run(build, { store, chain }, overrides?.accounts ?? [], (state) =>
      work(tracedRun(state, block)),
    );
  }

  /** Has calls run within a block, after some of its operations. @throws what `replay` throws */
  traceCallsWithin<T>(
    build: TracedBuild,
    { block, until, checkTime }: PlaceWithin,
    override: BlockOverride | undefined,
    work: (run: TracedRun) => T,
  ): T {
    return this.#replay(build, block, { ...SILENT, checkTime }, until, (state, context) =>
      work(tracedRun(state, { ...context, ...override })),
    );
  }

  /**
   * Runs an operation that is in no block on the state of the head, in the context of the next block.
   *
   * @throws RefusedError where the rules do not allow it, and what the observer throws
   */
  traceOperation(build: TracedBuild, operation: ReplayedOperation, observer: ReplayObserver): void {
    const { store, chain } = this.parts;
    const context = this.#nextContext();
    this.#traced.run(build, { store, chain }, [], (state) =>
      replayOperations(state, { context, operations: [operation] }, observer),
    );
  }

  /**
   * Slots of a contract within a block, after some of its operations, from one on and in their order.
   *
   * @throws what `replay` throws
   */
  storageRange(within: PlaceWithin, address: Address, range: SlotRange): StoredSlots {
    const { block, until, checkTime } = within;
    const { store } = this.stateBefore(block.number).parts;
    return this.#replay('evm-calls', block, { ...SILENT, checkTime }, until, (state) =>
      slotsOf(store, state.engine.changes(), address, range, checkTime),
    );
  }

  /** What an address has within a block, after some of its operations. @throws what `replay` throws */
  accountWithin({ block, until, checkTime }: PlaceWithin, address: Address): AccountInfo {
    return this.#replay('evm-calls', block, { ...SILENT, checkTime }, until, ({ engine }) => {
      const { balance = 0n, nonce = 0n } = engine.accountState(address) ?? {};
      return { balance, nonce, code: engine.codeAt(address) };
    });
  }

  /**
   * Finds the addresses whose account or storage is not the same after two blocks.
   *
   * @param found called with each of them, in no order; it may throw to end the search
   * @param checkTime throws when it takes too long
   * @throws StoreError STORE_NOT_KEPT
   */
  findModifiedAccounts(
    { first, last }: { readonly first: BlockSummary; readonly last: BlockSummary },
    found: (address: Address) => void,
    checkTime: () => void,
  ): void {
    modifiedAccounts({ store: this.parts.store, first: first.number, last: last.number }, found, checkTime);
  }

  #replay<T>(
    build: TracedBuild,
    block: BlockSummary,
    observer: ReplayObserver,
    until: number | undefined,
    work: (state: WorkingState, context: BlockContext) => T,
  ): T {
    const { store, chain } = this.stateBefore(block.number).parts;
    const operations = replayedOperations(this.parts.chain, block, this.contractAddressOf).slice(0, until);
    const { attempt, timestamp, account, rand } = block.header;
    const inputs = { number: block.number, attempt, timestamp, account, rand };
    const context = blockContextOf(inputs, this.network.chainId, this.rules);
    return this.#traced.run(build, { store, chain }, [], (state) => {
      replayOperations(state, { context, operations }, observer);
      return work(state, context);
    });
  }

  /** Listens to what executions tell, in the place of who did before. The ledger was opened to tell it. */
  listenToExecutions(listener: ExecutionListener | undefined): void {
    const { watch } = this.parts;
    invariant(watch !== undefined, 'the ledger was opened with executions that tell what they do');
    watch.listener = listener;
  }

  /** Runs a call, and tells who listens. */
  #runTold(
    state: WorkingState,
    block: BlockContext,
    message: CallMessage,
    allowance: CallAllowance,
  ): TriedCall {
    const outcome = runCall(state, block, message, allowance);
    const listener = this.parts.watch?.listener;
    if (listener === undefined) return outcome;
    if (outcome.consoleCalls !== undefined) listener.console?.(outcome.consoleCalls);
    if (outcome.status !== 'success' && listener.failed !== undefined) {
      const root = failedCall(state, block, message, allowance.gas);
      if (root !== undefined) listener.failed(root);
    }
    return outcome;
  }

  /** Runs of a message with one limit of gas after the other, of which the first is told. */
  #attempts(
    state: WorkingState,
    block: BlockContext,
    message: CallMessage,
    deadline: number | undefined,
  ): (gas: bigint) => TriedCall {
    let isFirst = true;
    return (gas) => {
      if (!isFirst) return runCall(state, block, message, { gas, deadline });
      isFirst = false;
      return this.#runTold(state, block, message, { gas, deadline });
    };
  }

  /** Does work on the state that a message sees. */
  #onState<T>({ overrides }: CallMessage, work: (state: WorkingState) => T): T {
    if (overrides === undefined || overrides.accounts.length === 0) return work(this.parts.state);
    return this.#separateState().run(overrides.accounts, work);
  }

  #separateState(): SeparateState {
    const { state, store, chain } = this.parts;
    this.#separate ??= new SeparateState(state, store, chain);
    return this.#separate;
  }

  /** The block context of calls at the head: made once for each head. */
  #headContext(): BlockContext {
    const head = this.head();
    if (this.#context?.head !== head) {
      const { attempt, timestamp, account, rand } = head.header;
      const inputs = { number: head.number, attempt, timestamp, account, rand };
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
      estimateTransaction(state, message, this.#attempts(state, block, message, deadline));
    return on === undefined ? this.#onState(message, work) : work(on);
  }

  #nextContext(): BlockContext {
    return blockContextOf(nextInputs(this.parts), this.network.chainId, this.rules);
  }

  /** The least fee ceiling with which the message's operation succeeds in the next block. */
  estimateGas(message: CallMessage): bigint {
    const block = overridden(this.#nextContext(), message);
    const deadline = deadlineOf(message);
    return this.#onState(message, (state) =>
      estimate(state, message, this.#attempts(state, block, message, deadline)),
    );
  }
}

/** A block's context as a message sees it. */
function overridden(block: BlockContext, { overrides }: CallMessage): BlockContext {
  return overrides === undefined ? block : { ...block, ...overrides.block };
}
