import type { BlockContext, EvmBuild } from '../../evm/index.ts';
import { type Address, type Hash, invariant } from '../../protocol/index.ts';
import { blockContextOf } from '../blocks/apply-block.ts';
import { nextInputs } from '../blocks/block-assembly.ts';
import { type AccessOutcome, accessListOf, emptyAccesses, warmDelegates } from '../calls/access-list.ts';
import { estimate, estimateTransaction } from '../calls/estimate.ts';
import {
  type CallAllowance,
  type CallAttempt,
  type CallMessage,
  type CallOutcome,
  deadlineOf,
  failedCall,
  requireBegun,
  runCall,
} from '../calls/execution.ts';
import {
  type BlockOverride,
  NO_OVERLAY,
  type Overrides,
  overlayOf,
  SeparateState,
  type StateOverlay,
} from '../calls/overrides.ts';
import { Simulation, type SimulationOptions, type StateRunner } from '../calls/simulation.ts';
import { blockFeesOf } from '../chain/block-fees.ts';
import { settingsOf } from '../chain/block-settings.ts';
import type { BlockSummary } from '../chain/records.ts';
import type { ExecutionListener } from '../core.ts';
import { type ChainOrigin, PerOrigin } from '../genesis/chain-parameters.ts';
import type { WorkingState } from '../state/working-state.ts';
import { type AccountInfo, modifiedAccounts } from '../traces/modified-accounts.ts';
import { type ReplayObserver, replayOperations } from '../traces/replay.ts';
import { type SlotRange, type StoredSlots, slotsOf } from '../traces/storage-range.ts';
import { type ReplayedOperation, type TracedRun, tracedRun } from '../traces/traced-call.ts';
import type { TracedStates } from '../traces/traced-states.ts';
import { type GivenBlock, readGivenBlock } from './given-block.ts';
import type { LedgerSource } from './ledger-source.ts';
import { type ContractAddressLookup, includedOperation } from './operation-lookup.ts';

/** Default gas of an `eth_call` or `eth_estimateGas`. */
export const CALL_GAS_MAX = 50_000_000n;

export interface PositionWithin {
  readonly block: BlockSummary;
  /** Number of its operations that have run. */
  readonly until: number;
  /** Called between them; it may throw to end it. */
  checkTime(): void;
}

/** Sources from which blocks run again. */
interface ReplaySources {
  /** Returns the chain before a block. Throws StoreError STORE_NOT_KEPT. */
  before(block: number): LedgerSource;
  readonly contractAddressOf: ContractAddressLookup;
}

/** An observer that ignores all operations. */
const SILENT = { before: () => undefined, after: () => undefined };

/** Executions without stored changes: calls, estimates, and traces of repeated code. */
export class CallQueries {
  readonly #source: LedgerSource;
  readonly #traced: PerOrigin<TracedStates>;
  readonly #blocks: ReplaySources;
  readonly #separate: PerOrigin<SeparateState>;
  /** Context of calls at the head, made once for each head. */
  #head: { readonly block: BlockSummary; readonly context: BlockContext } | undefined;

  constructor(source: LedgerSource, traced: PerOrigin<TracedStates>, blocks: ReplaySources) {
    this.#source = source;
    this.#traced = traced;
    this.#blocks = blocks;
    const { store, chain } = source;
    this.#separate = new PerOrigin(
      source,
      () => new SeparateState(source.origin.state.reading, store, chain),
    );
  }

  /** Runs a call on the state and in the context of the head block. */
  call(message: CallMessage): CallOutcome {
    const allowance = allowanceOf(message);
    const block = overridden(this.#headContext(), message);
    return this.#onState(message, (state) =>
      requireBegun(state, message, this.#runReported(state, block, message, allowance), allowance.gas),
    );
  }

  /** Runs a call as `call` does, but reports nothing; returns its output, undefined if it fails. */
  probe(to: Address, data: Uint8Array, gas: bigint): Uint8Array | undefined {
    const { reading } = this.#source.origin.state;
    const attempt = runCall(reading, this.#headContext(), { to, data }, { gas, deadline: undefined });
    return attempt.status === 'success' ? attempt.output : undefined;
  }

  /** Runs a call as `call` does, and returns its accesses. */
  callWithAccessList(message: CallMessage): AccessOutcome {
    const allowance = allowanceOf(message);
    const block = overridden(this.#headContext(), message);
    const accessed = emptyAccesses();
    const work = (state: WorkingState): AccessOutcome => {
      const attempt = runCall(state, block, message, allowance);
      const outcome = requireBegun(state, message, attempt, allowance.gas);
      const slotsOf = (address: Address): readonly Hash[] => state.engine.slotsInTables(address);
      const { hardfork } = this.#source.origin.rules;
      const warm = { coinbase: block.coinbase, hardfork, delegates: warmDelegates(state, message) };
      return { outcome, accessList: accessListOf(accessed, slotsOf, message, warm) };
    };
    return this.#separate.value.run(this.#overlayOf(message.overrides), work, accessed);
  }

  /** Begins blocks of calls on this state. */
  simulation(options: SimulationOptions): Simulation {
    const onState: StateRunner = options.tracesTransfers
      ? (overlay, work) => this.#traced.value.run('evm', this.#source, overlay, work)
      : (overlay, work) => this.#separate.value.run(overlay, work);
    return new Simulation(onState, this.#source.origin.rules.hardfork, options);
  }

  /**
   * Estimates the least gas with which an Ethereum transaction of the message succeeds in the next block.
   * @param on a state other than that of the head
   */
  estimateTransaction(message: CallMessage, on?: WorkingState): bigint {
    const attempts = this.#attempts(message);
    const { gasLimit } = this.#nextContext();
    const work = (state: WorkingState): bigint =>
      estimateTransaction(state, gasLimit, message, attempts(state));
    return on === undefined ? this.#onState(message, work) : work(on);
  }

  /** Estimates the least fee with which the message's operation succeeds in the next block. */
  estimateGas(message: CallMessage): bigint {
    const attempts = this.#attempts(message);
    return this.#onState(message, (state) => estimate(state, message, attempts(state)));
  }

  /** Returns the context of calls at the head. */
  context(): BlockContext {
    return this.#headContext();
  }

  // Repeated code

  /**
   * Begins blocks of calls on the state within a block, after some of its operations.
   * @throws as `replay`
   */
  simulationWithin({ block, until, checkTime }: PositionWithin, options: SimulationOptions): Simulation {
    const past = this.#blocks.before(block.number);
    const onState: StateRunner = (overlay, work) => this.#traced.value.run('evm', past, overlay, work);
    const simulation = new Simulation(onState, this.#source.origin.rules.hardfork, options);
    this.#replay('evm', block, { ...SILENT, checkTime }, until, ({ engine }) =>
      simulation.keep(engine.changes()),
    );
    return simulation;
  }

  /**
   * Runs the operations of a block again on the state before it, for an observer.
   * @param until index of the first operation to omit; absent: none
   * @throws StoreError STORE_NOT_KEPT, RefusedError if the engine has no room, and as the observer
   */
  replay(build: EvmBuild, block: BlockSummary, observer: ReplayObserver, until?: number): void {
    this.#replay(build, block, observer, until, () => undefined);
  }

  /** Reads the bytes of a block, which need not be of this chain. @throws DecodeError, FormatError */
  readBlock(bytes: Uint8Array): GivenBlock {
    return readGivenBlock(bytes, this.#blocks.contractAddressOf);
  }

  /**
   * Runs the operations of a block that need not be of this chain on the state after the block before it, which is.
   * @throws RefusedError for an operation that the rules reject, and as `replay`
   */
  replayGiven(build: EvmBuild, { block, operations }: GivenBlock, observer: ReplayObserver): void {
    const isNext = block.number > this.#source.chain.head().number;
    const past = isNext ? this.#source : this.#blocks.before(block.number);
    const given = {
      context: contextOf(block, this.#source.origin),
      operations: operations.map(({ index, operation, to }) => ({
        index,
        operation,
        to,
        receipt: undefined,
      })),
    };
    this.#traced.value.run(build, past, NO_OVERLAY, (state) => replayOperations(state, given, observer));
  }

  /**
   * Runs traced calls on the state and in the context of the head block, each on the changes of the previous ones.
   * @param overrides of the first call's state, and of every call's block
   */
  traceCalls<T>(build: EvmBuild, overrides: Overrides | undefined, work: (run: TracedRun) => T): T {
    const block = { ...this.#headContext(), ...overrides?.block };
    return this.#traced.value.run(build, this.#source, this.#overlayOf(overrides), (state) =>
      work(tracedRun(state, block)),
    );
  }

  /** Runs calls within a block, after some of its operations. @throws as `replay` */
  traceCallsWithin<T>(
    build: EvmBuild,
    { block, until, checkTime }: PositionWithin,
    override: BlockOverride | undefined,
    work: (run: TracedRun) => T,
  ): T {
    return this.#replay(build, block, { ...SILENT, checkTime }, until, (state, context) =>
      work(tracedRun(state, { ...context, ...override })),
    );
  }

  /**
   * Runs an operation that is in no block on the state of the head, in the context of the next block.
   * @throws RefusedError if the rules reject it, and as the observer
   */
  traceOperation(build: EvmBuild, operation: ReplayedOperation, observer: ReplayObserver): void {
    const context = this.#nextContext();
    this.#traced.value.run(build, this.#source, NO_OVERLAY, (state) =>
      replayOperations(state, { context, operations: [operation] }, observer),
    );
  }

  /**
   * Lists the slots of a contract within a block, after some of its operations, in order.
   * @throws as `replay`
   */
  storageRange(within: PositionWithin, address: Address, range: SlotRange): StoredSlots {
    const { block, until, checkTime } = within;
    const { store } = this.#blocks.before(block.number);
    return this.#replay('evm', block, { ...SILENT, checkTime }, until, (state) =>
      slotsOf(store, state.engine.changes(), address, range, checkTime),
    );
  }

  /**
   * Returns an account within a block, after some of its operations.
   * @throws as `replay`
   */
  accountWithin({ block, until, checkTime }: PositionWithin, address: Address): AccountInfo {
    return this.#replay('evm', block, { ...SILENT, checkTime }, until, ({ engine }) => {
      const { balance = 0n, nonce = 0n } = engine.accountState(address) ?? {};
      return { balance, nonce, code: engine.codeAt(address) };
    });
  }

  /**
   * Finds the addresses whose account or storage differs between the states after two blocks.
   * @param found called with each of them, in no order; it may throw to end the search
   * @param checkTime throws after the time limit
   * @throws StoreError STORE_NOT_KEPT
   */
  findModifiedAccounts(
    { first, last }: { readonly first: BlockSummary; readonly last: BlockSummary },
    found: (address: Address) => void,
    checkTime: () => void,
  ): void {
    modifiedAccounts({ store: this.#source.store, first: first.number, last: last.number }, found, checkTime);
  }

  #replay<T>(
    build: EvmBuild,
    block: BlockSummary,
    observer: ReplayObserver,
    until: number | undefined,
    work: (state: WorkingState, context: BlockContext) => T,
  ): T {
    const past = this.#blocks.before(block.number);
    const operations = this.#operationsOf(block).slice(0, until);
    const context = contextOf(block, this.#source.origin);
    return this.#traced.value.run(build, past, NO_OVERLAY, (state) => {
      replayOperations(state, { context, operations }, observer);
      return work(state, context);
    });
  }

  /** Lists the operations of a block with their receipts, in order. */
  #operationsOf(block: BlockSummary): ReplayedOperation[] {
    const { chain } = this.#source;
    return Array.from(chain.operations(block.number), (placed) => {
      const { index, operation, to } = includedOperation(block, placed, this.#blocks.contractAddressOf);
      const receipt = chain.receiptAt(block.number, index);
      invariant(receipt !== undefined, 'every operation of a block has a receipt');
      return { index, operation, to, receipt };
    });
  }

  // Shared by both

  /** Sets the listener to reports of executions. Requires a ledger opened with `reportsExecutions`. */
  listenToExecutions(listener: ExecutionListener | undefined): void {
    const { watch } = this.#source;
    invariant(watch !== undefined, 'the ledger was opened with reportsExecutions');
    watch.listener = listener;
  }

  /** Runs a call and reports it to the listener. */
  #runReported(
    state: WorkingState,
    block: BlockContext,
    message: CallMessage,
    allowance: CallAllowance,
  ): CallAttempt {
    const outcome = runCall(state, block, message, allowance);
    const listener = this.#source.watch?.listener;
    if (listener === undefined) return outcome;
    if (outcome.consoleCalls !== undefined) listener.console?.(outcome.consoleCalls);
    if (outcome.status !== 'success' && listener.failed !== undefined) {
      const root = failedCall(state, block, message, allowance.gas);
      if (root !== undefined) listener.failed(root);
    }
    return outcome;
  }

  /**
   * Returns a function that runs a message in the next block with one gas limit after the other, and reports the first
   * run.
   */
  #attempts(message: CallMessage): (state: WorkingState) => (gas: bigint) => CallAttempt {
    const block = overridden(this.#nextContext(), message);
    const deadline = deadlineOf(message);
    let isFirst = true;
    return (state) => (gas) => {
      if (!isFirst) return runCall(state, block, message, { gas, deadline });
      isFirst = false;
      return this.#runReported(state, block, message, { gas, deadline });
    };
  }

  /** Runs work on the state with the overrides of a message. */
  #onState<T>({ overrides }: CallMessage, work: (state: WorkingState) => T): T {
    if (overrides === undefined || overrides.accounts.length === 0)
      return work(this.#source.origin.state.reading);
    return this.#separate.value.run(this.#overlayOf(overrides), work);
  }

  #overlayOf(overrides: Overrides | undefined): StateOverlay {
    return overlayOf(overrides?.accounts ?? [], this.#source.origin.rules.hardfork);
  }

  #headContext(): BlockContext {
    const { chain, origin } = this.#source;
    const block = chain.head();
    if (this.#head?.block !== block) this.#head = { block, context: contextOf(block, origin) };
    const { context } = this.#head;
    // A test sees what it has set at once, as in anvil.
    const { coinbase = context.coinbase, gasLimit = context.gasLimit } = chain.nextPatched();
    const isSame = coinbase === context.coinbase && gasLimit === context.gasLimit;
    return isSame ? context : { ...context, coinbase, gasLimit };
  }

  /** Returns the context of the next block, if it were made now. */
  #nextContext(): BlockContext {
    if (this.#source.isPending === true) return this.#headContext();
    return blockContextOf(nextInputs(this.#source), this.#source.origin);
  }
}

function contextOf({ number, header }: BlockSummary, origin: ChainOrigin): BlockContext {
  const { attempt, timestamp, account, rand } = header;
  const { fork, base } = origin.rules;
  // The genesis of a fork stands for the remote block.
  const remote = number === fork?.number ? base?.block : undefined;
  const prices = remote?.prices ?? blockFeesOf(header, origin.rules);
  const settings = settingsOf({ number, header }, origin.rules);
  const context = blockContextOf({ number, attempt, timestamp, account, rand, prices, settings }, origin);
  if (remote === undefined) return context;
  return { ...context, coinbase: remote.coinbase, randomness: remote.randomness };
}

/** Returns the gas limit and the deadline of a call that begins now. */
function allowanceOf(message: CallMessage): CallAllowance {
  return { gas: message.gas ?? CALL_GAS_MAX, deadline: deadlineOf(message) };
}

/** Applies the block overrides of a message to a block's context. */
function overridden(block: BlockContext, { overrides }: CallMessage): BlockContext {
  return overrides === undefined ? block : { ...block, ...overrides.block };
}
