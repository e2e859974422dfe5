import { type Address, invariant, LedgerdError, toSignature } from '../../protocol/index.ts';
import { type Job, runUntil, WRITE_SLICE_MS } from '../../time/job.ts';
import { applyBlock, takeExecuted } from '../blocks/apply-block.ts';
import { assembleHeader, encodeHeader, nextInputs, summarize } from '../blocks/block-assembly.ts';
import { commitOf } from '../blocks/block-commit.ts';
import type { Miner } from '../blocks/miner.ts';
import { producerAccount } from '../blocks/producer-keys.ts';
import type { CallMessage } from '../calls/execution.ts';
import type { BlockSummary } from '../chain/records.ts';
import { PerOrigin } from '../genesis/chain-parameters.ts';
import type { ChainHistory, LedgerQueries } from '../queries/ledger-queries.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { PoolCore } from './pending-transactions.ts';

const NO_SIGNATURE = toSignature(new Uint8Array(64));

/** The pending block takes longer to make than one slice: `PendingBlock.make` continues it. */
export class PendingBlockUnmadeError extends LedgerdError {
  override readonly code = 'PENDING_BLOCK_UNMADE';
  /** Number of the first attempt that has what was pending now. */
  readonly attempt: number;

  constructor(attempt: number) {
    // The words of geth.
    super('pending block is not available');
    this.attempt = attempt;
  }
}

/** The queries at the head. */
export type HeadQueries = LedgerQueries & { readonly history: ChainHistory };

/** All that a pending block depends on. */
interface Basis {
  readonly head: BlockSummary;
  /** `Chain.changes`. */
  readonly changes: number;
  readonly pool: string;
  readonly gasLimit: bigint | undefined;
  readonly timestamp: number;
}

interface Attempt {
  /** Counts from 1. */
  readonly number: number;
  readonly basis: Basis;
}

/**
 * The chain with the block that would be made next, of the pending transactions that can be executed, on top: `pending`
 * in Ethereum's terms. It is made when it is asked for, and kept while nothing that it depends on changes.
 */
export class PendingBlock {
  readonly #core: PoolCore;
  readonly #head: HeadQueries;
  readonly #miner: Pick<Miner, 'gasLimit'>;
  /** A state for blocks whose transactions the pool has not executed in their order. */
  readonly #state: PerOrigin<WorkingState>;
  #begun: (Attempt & { readonly job: Job<LedgerQueries> }) | undefined;
  #made: (Attempt & { readonly chain: LedgerQueries }) | undefined;
  /** True while the made block is given, whatever has changed since its attempt began. */
  #isGiven = false;

  constructor(core: PoolCore, head: HeadQueries, miner: Pick<Miner, 'gasLimit'>) {
    this.#core = core;
    this.#head = head;
    this.#miner = miner;
    this.#state = new PerOrigin(core, () => core.origin.state.applying.another(core.chain));
  }

  /** True without pending transactions, so that the state after them equals that of the head. */
  get isEmpty(): boolean {
    return this.#core.pool.index.size === 0;
  }

  /** Returns the nonce that the next transaction of a sender needs, after its pending ones without a gap. */
  nonceOf(sender: Address): bigint {
    return this.#core.pool.index.nextNonce({ sender, nonce: this.#head.accounts.nonceOf(sender) });
  }

  /** Estimates the least gas with which an Ethereum transaction of the message succeeds after all pending ones. */
  estimateTransaction(message: CallMessage): bigint {
    const { pool, time } = this.#core;
    const { calls } = this.#head;
    if (this.isEmpty) return calls.estimateTransaction(message);
    pool.catchUp(time.now() + WRITE_SLICE_MS);
    return calls.estimateTransaction(message, pool.state.current);
  }

  /**
   * Returns the chain with the pending block as its head. Results stay valid while blocks are added, and become invalid
   * with a reorganisation.
   * @throws PendingBlockUnmadeError, MissingEntriesError
   */
  get chain(): LedgerQueries {
    const { time, pool } = this.#core;
    if (this.#made !== undefined && this.#isGiven) return this.#made.chain;
    const until = time.now() + WRITE_SLICE_MS;
    // Promotes and drops transactions.
    pool.catchUp(until);
    const basis = this.#basis();
    const known = [this.#made, this.#begun].find((one) => one !== undefined && isSame(one.basis, basis));
    const attempt = known?.number ?? this.#lastAttempt + 1;
    while (!this.make(attempt, until)) {
      if (time.now() >= until) throw new PendingBlockUnmadeError(attempt);
    }
    invariant(this.#made !== undefined, 'an attempt has made it');
    return this.#made.chain;
  }

  /**
   * Continues the pending block until an attempt, or a later one, has made it, or a moment has come.
   * @returns false if there is more to do
   * @throws MissingEntriesError; then the block begins again
   */
  make(attempt: number, until: number): boolean {
    const { time } = this.#core;
    const basis = this.#basis();
    if (this.#made !== undefined && this.#made.number >= attempt && isBasedOn(this.#made.basis, basis))
      return true;
    // It has read a state that is not the present one any more.
    if (this.#begun !== undefined && !isBasedOn(this.#begun.basis, basis)) this.#begun = undefined;
    const begun = this.#begun ?? { number: this.#lastAttempt + 1, basis, job: this.#build() };
    this.#begun = begun;
    const { number } = begun;
    try {
      const { done, value } = runUntil(begun.job, until, time);
      if (done !== true) return false;
      this.#made = { number, basis: begun.basis, chain: value };
    } catch (error) {
      this.#state.value.clear();
      this.#begun = undefined;
      throw error;
    }
    this.#begun = undefined;
    return number >= attempt;
  }

  /** Runs an action for which `chain` is the block that was just made. */
  whileGiven<T>(action: () => T): T {
    this.#isGiven = true;
    try {
      return action();
    } finally {
      this.#isGiven = false;
    }
  }

  get #lastAttempt(): number {
    return Math.max(this.#made?.number ?? 0, this.#begun?.number ?? 0);
  }

  #basis(): Basis {
    const { chain, clock, pool } = this.#core;
    const head = chain.head();
    return {
      head,
      changes: chain.changes,
      pool: pool.index.version,
      gasLimit: this.#miner.gasLimit,
      timestamp: clock.nextTimestamp(head.header.timestamp),
    };
  }

  *#build(): Generator<void, LedgerQueries> {
    const { chain, pool } = this.#core;
    const inputs = nextInputs(this.#core);
    const transactions = pool.inBlockOrder();
    const { gasLimit } = this.#miner;
    const { id: previous } = chain.head();
    const { delegatingAccount } = producerAccount(this.#core, inputs.account).options;
    const executed = pool.state.executedFor(inputs, transactions);
    const taken = executed && takeExecuted(this.#core, inputs, executed, gasLimit);
    const state = this.#state.value;
    if (taken === undefined) state.clear();
    const applied = yield* taken ??
      applyBlock(this.#core, inputs, transactions, { refused: () => undefined, gasLimit }, state);
    if (taken === undefined) state.clear();
    const unsigned = assembleHeader(previous, inputs, delegatingAccount, applied);
    const header = encodeHeader({ edSignature: NO_SIGNATURE, rand: inputs.rand, cert: [], ...unsigned });
    const summary = { ...summarize(inputs.number, header, applied), isPending: true } as const;
    return this.#head.history.withNext(summary, commitOf(summary, header, applied));
  }
}

/** Returns true if both are on the same stored state. */
function isBasedOn(one: Basis, other: Basis): boolean {
  return one.head === other.head && one.changes === other.changes;
}

function isSame(one: Basis, other: Basis): boolean {
  return (
    isBasedOn(one, other) &&
    one.pool === other.pool &&
    one.gasLimit === other.gasLimit &&
    one.timestamp === other.timestamp
  );
}
