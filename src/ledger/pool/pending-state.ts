import { equalBytes, invariant, type SignedTransaction, ZERO_ADDRESS } from '../../protocol/index.ts';
import { completeJob } from '../../time/job.ts';
import { setEngineBlock } from '../blocks/apply-block.ts';
import { nextInputs } from '../blocks/block-assembly.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import type { ExecutedPool, LedgerCore } from '../core.ts';
import { RefusedError } from '../errors/refusal.ts';
import { PerOrigin } from '../genesis/chain-parameters.ts';
import { MissingEntriesError } from '../state/fork-base.ts';
import type { WorkingState } from '../state/working-state.ts';
import { type AppliedTransaction, applyJob, applyRebuilding } from '../transactions/apply-transaction.ts';
import type { PendingTransaction, PoolIndex } from './pool-index.ts';

/** Bytes of executed pending transactions and their results beyond which their block executes them again. */
const EXECUTED_BYTES_MAX = 32 * 1024 * 1024;

/** A transaction that was executed for the next block, on the state after those before it. */
export interface ExecutedTransaction {
  readonly applied: AppliedTransaction;
  readonly inputs: BlockInputs;
}

/** Returns the gas that a transaction used. */
export function gasOf({ applied }: ExecutedTransaction): bigint {
  return applied.outcomes.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}

/** The results of the executed transactions, in order, which a block of exactly these may take. */
interface Results {
  /** Inputs of the block for which the first was executed. */
  readonly inputs: BlockInputs;
  readonly applied: AppliedTransaction[];
  /** The same as they are pending. */
  readonly transactions: SignedTransaction[];
  /** The time of the block that their code has read; undefined if none has. */
  readTime: number | undefined;
  /** Bytes of them, their event logs and revert data. */
  bytes: number;
  /** False if they were executed for different blocks, or if their results take too much memory. */
  isUsable: boolean;
}

/**
 * The state after the pending transactions that are executed, and the progress of their execution. Restarting takes
 * constant time.
 */
export class PendingState {
  readonly #core: Omit<LedgerCore, 'pool'>;
  readonly #index: PoolIndex;
  readonly #onRestart: () => void;
  /** The state, made on first use: with instant production hardly ever. */
  readonly #made: PerOrigin<WorkingState>;
  /** Ids of those that are executed on the state. */
  #executed = new Set<string>();
  /** The way through all transactions, later additions included. */
  #way: Iterator<PendingTransaction>;
  #results: Results | undefined;
  /** True if the state is not based on the head any more, was left incomplete, or is not made yet. */
  #isStale = true;
  /** True if the engine has failed since the last head. */
  #hasEngineFailed = false;

  /** @param onRestart called when nothing is executed any more */
  constructor(core: Omit<LedgerCore, 'pool'>, index: PoolIndex, onRestart: () => void) {
    this.#core = core;
    this.#index = index;
    this.#onRestart = onRestart;
    this.#made = new PerOrigin(core, () => core.origin.state.applying.another(core.chain));
    this.#way = index.each();
  }

  /** The state; it is cleared first if necessary. */
  get current(): WorkingState {
    const state = this.#made.value;
    if (!this.#isStale) return state;
    state.clear();
    this.#isStale = false;
    // Transactions that are not executed yet are checked against its gas limit.
    setEngineBlock(state, nextInputs(this.#core), this.#core.origin);
    return state;
  }

  /** True if executable transactions were not executed yet. */
  get isBehind(): boolean {
    return this.#executed.size < this.#index.readyCount;
  }

  /** Returns true for the id of a transaction that is executed on the state. */
  has(id: string): boolean {
    return this.#executed.has(id);
  }

  /** Returns the next executable transaction; there is one while the state is behind. */
  next(): PendingTransaction {
    const found = this.#nextOnWay() ?? this.#nextFromStart();
    invariant(found !== undefined, 'more could be executed than is');
    return found;
  }

  /** Finds a transaction that was skipped while it could not be executed, or whose execution was interrupted. */
  #nextFromStart(): PendingTransaction | undefined {
    this.#way = this.#index.each();
    return this.#nextOnWay();
  }

  #nextOnWay(): PendingTransaction | undefined {
    for (let step = this.#way.next(); step.done !== true; step = this.#way.next()) {
      const { id } = step.value;
      if (!this.#executed.has(id) && !this.#index.queue.has(id)) return step.value;
    }
    return undefined;
  }

  /** Applies a transaction for the next block, on top of the executed ones. Throws `RefusedError`. */
  execute(transaction: SignedTransaction): ExecutedTransaction {
    return completeJob(
      applyRebuilding(
        () => this.#applyNext(transaction),
        () => [this.#rebuild()],
      ),
    );
  }

  /** Notes that a transaction is executed on the state, unless the state was cleared meanwhile. */
  note(id: string, transaction: SignedTransaction, { applied, inputs }: ExecutedTransaction): void {
    if (this.#isStale) return;
    this.#executed.add(id);
    const readsTime = applied.outcomes.some((outcome) => outcome.readsTime === true);
    this.#results ??= {
      inputs,
      applied: [],
      transactions: [],
      readTime: undefined,
      bytes: 0,
      isUsable: true,
    };
    const results = this.#results;
    if (readsTime) results.readTime ??= inputs.timestamp;
    results.bytes += bytesOf(applied);
    results.isUsable &&=
      isSameBlock(results.inputs, inputs) &&
      (!readsTime || inputs.timestamp === results.readTime) &&
      results.bytes <= EXECUTED_BYTES_MAX;
    if (results.isUsable) {
      results.applied.push(applied);
      results.transactions.push(transaction);
    } else {
      results.applied.length = 0;
      results.transactions.length = 0;
    }
  }

  /** See `PendingPool.executedFor`. */
  executedFor(inputs: BlockInputs, given: readonly SignedTransaction[]): ExecutedPool | undefined {
    if (this.#isStale || this.#results?.isUsable !== true) return undefined;
    const { applied, transactions, readTime } = this.#results;
    if (!isSameBlock(this.#results.inputs, inputs)) return undefined;
    if (readTime !== undefined && readTime !== inputs.timestamp) return undefined;
    if (transactions.length !== given.length) return undefined;
    const isSame = transactions.every((transaction, index) => transaction === given[index]);
    return isSame ? { executed: applied, state: this.#made.value } : undefined;
  }

  /** Resets the state to that of the head, with nothing executed on it. */
  startOver(): void {
    this.#makeStale();
    this.#executed = new Set();
    this.#way = this.#index.each();
    this.#onRestart();
  }

  /** Continues from another head. */
  reload(): void {
    this.#hasEngineFailed = false;
    this.startOver();
  }

  /** Applies a transaction; after an error other than a refusal the state is the head's again. */
  *#applyNext(transaction: SignedTransaction): Generator<void, ExecutedTransaction> {
    const { chain, origin } = this.#core;
    try {
      const state = this.current;
      const inputs = nextInputs(this.#core);
      setEngineBlock(state, inputs, origin);
      return { applied: yield* applyJob(state, chain, origin.transactionRules, transaction), inputs };
    } catch (error) {
      if (error instanceof MissingEntriesError) this.startOver();
      else if (!(error instanceof RefusedError)) this.#makeStale();
      throw error;
    }
  }

  /**
   * Clears the state for a transaction for which the engine had no room. The others follow, only once for each head,
   * since it may happen again.
   */
  #rebuild(): void {
    this.#makeStale();
    if (!this.#hasEngineFailed) this.startOver();
    this.#hasEngineFailed = true;
  }

  #makeStale(): void {
    this.#isStale = true;
    this.#results = undefined;
  }
}

/** Compares the inputs of two blocks without their times. */
function isSameBlock(one: BlockInputs, other: BlockInputs): boolean {
  return (
    one.number === other.number &&
    one.attempt === other.attempt &&
    one.account === other.account &&
    one.prices.baseFee === other.prices.baseFee &&
    one.prices.excessBlobGas === other.prices.excessBlobGas &&
    one.settings?.gasLimit === other.settings?.gasLimit &&
    equalBytes(one.settings?.coinbase ?? ZERO_ADDRESS, other.settings?.coinbase ?? ZERO_ADDRESS) &&
    equalBytes(one.rand, other.rand)
  );
}

function bytesOf({ bytes: encoded, outcomes }: AppliedTransaction): number {
  let bytes = encoded.length;
  for (const { output, logs } of outcomes) {
    bytes += output.length;
    for (const { data } of logs) bytes += data.length;
  }
  return bytes;
}

/** Runs an action after a change that the caller must not repeat: it ends early where entries are missing. */
export function unlessMissing(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof MissingEntriesError)) throw error;
  }
}
