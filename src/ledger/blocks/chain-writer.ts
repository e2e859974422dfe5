import { hexIdOf } from '../../protocol/index.ts';
import type { BlockSummary } from '../chain/records.ts';
import type { LedgerCore, ReportedOperation } from '../core.ts';
import { refuse } from '../errors/refusal.ts';
import type { AppliedTransaction } from '../transactions/apply-transaction.ts';
import { summarize } from './block-assembly.ts';
import { commitOf, contentOf } from './block-commit.ts';
import {
  type AddedBlock,
  type BlockJob,
  type BlockOrderer,
  NewBlock,
  type NewBlockChain,
  type SignedBlock,
} from './new-block.ts';

/** Empty blocks that are stored in one commit. */
const STORED_BATCH_BLOCKS_MAX = 1_000;

/** The one way to change a chain: blocks are added one at a time, and nothing is written during a pause. */
export class ChainWriter {
  readonly #core: LedgerCore;
  readonly #chain: NewBlockChain;
  /** The block that is being added in several slices. */
  #adding: NewBlock | undefined;
  /** Reason for the pause of writes; undefined without a pause. */
  #pausedFor: string | undefined;

  constructor(core: LedgerCore) {
    this.#core = core;
    this.#chain = {
      time: core.time,
      pauseBlock: () => core.origin.state.pauseBlock(),
      discardBlock: () => this.#discardChanges(),
      storeBlock: (block) => this.#store(block),
      announce: (added, until) => this.announce(added, until),
    };
  }

  /** True while a block is being added in several slices. */
  get isAddingBlock(): boolean {
    return this.#adding?.isOver === false;
  }

  get isPaused(): boolean {
    return this.#pausedFor !== undefined;
  }

  /** Pauses writes: each is refused with the reason. */
  pause(reason: string): void {
    this.#pausedFor = reason;
    this.discard(reason);
  }

  resume(): void {
    this.#pausedFor = undefined;
  }

  /** Throws `RefusedError` while writes are paused. */
  requireWriting(): void {
    if (this.#pausedFor !== undefined) refuse({ code: 'writesPaused', reason: this.#pausedFor });
  }

  /** Prepares a change of the chain: completes or discards the block under construction. */
  finish(): void {
    this.#adding?.finish();
  }

  /** Prepares most changes: refuses them during a pause, and completes the block under construction. */
  completeBlock(): void {
    this.requireWriting();
    this.finish();
  }

  /** Discards the block under construction. */
  discard(reason: string): void {
    this.#adding?.discard(reason);
  }

  /** Begins to add a block in several slices. @param onStored called before its listeners */
  begin(job: BlockJob, orderer?: BlockOrderer, onStored?: () => void): NewBlock {
    const announce = (added: AddedBlock, until: number): void => {
      onStored?.();
      this.announce(added, until);
    };
    const chain = onStored === undefined ? this.#chain : { ...this.#chain, announce };
    this.#adding = new NewBlock(chain, job, orderer);
    return this.#adding;
  }

  /** Adds a block at once, without announcing it. Throws as its job; nothing is changed then. */
  add(job: BlockJob): AddedBlock {
    return new NewBlock(this.#chain, job).addAtOnce();
  }

  /**
   * Adds empty blocks and stores them in one commit, without announcing them. If it throws, none is stored, and the
   * state in memory is unchanged.
   * @param most greatest number of blocks; at least one
   * @param until moment of the ledger's time after which only the first is begun
   * @param begin begins the next one, by its index
   * @throws as `begin`, and as storing a block
   */
  addTogether(most: number, until: number, begin: (index: number) => BlockJob): AddedBlock[] {
    const { store, chain, origin, time } = this.#core;
    const count = Math.min(most, STORED_BATCH_BLOCKS_MAX);
    const added: AddedBlock[] = [];
    try {
      store.inOneCommit(count, () => {
        do added.push(this.add(begin(added.length)));
        while (added.length < count && time.now() < until);
      });
    } catch (error) {
      // The caches contain blocks that were not stored.
      origin.state.reload();
      chain.reload();
      throw error;
    }
    return added;
  }

  #store(block: SignedBlock): AddedBlock {
    const { applied, refused, makeMilliseconds } = block;
    const { store, chain, time, origin, pool } = this.#core;
    const begin = time.now();
    const summary = summarize(chain.head().number + 1, block, applied);
    const removedIds = [
      ...applied.applied.map(({ id }) => id),
      ...refused.map(({ transaction }) => hexIdOf(transaction)),
    ];
    const ready = time.now();
    const removedPending = pool.leaving(removedIds);
    store.commitBlock({ ...commitOf(summary, block, applied), removedPending });
    const commitMilliseconds = time.now() - ready;
    chain.advance(summary, contentOf(applied));
    if (block.isExecutedByPool) origin.state.applying.clear();
    else origin.state.applying.settle();
    origin.state.endBlock();
    const applyMilliseconds = makeMilliseconds + ready - begin;
    const work = { applyMilliseconds, commitMilliseconds, gas: applied.gas };
    return { summary, applied, refused, removedIds, work };
  }

  /** Makes the state in memory that of the head again. */
  #discardChanges(): void {
    const { state } = this.#core.origin;
    state.applying.discard();
    state.endBlock();
  }

  /** Updates the pool for the new head, within the available time, then notifies the listeners. */
  announce(
    { summary, applied, refused, removedIds, work }: AddedBlock,
    until = Number.POSITIVE_INFINITY,
  ): void {
    const { clock, pool, listeners } = this.#core;
    clock.passed(summary.header.timestamp);
    pool.rebase(removedIds, until);
    listeners.block.notify(summary, work);
    this.#reportExecutions(summary, applied.applied);
    for (const drop of refused) listeners.dropped.notify(drop);
    this.reportDropped();
  }

  /** Reports the transactions that the pool has dropped. */
  reportDropped(): void {
    const { pool, listeners } = this.#core;
    for (const drop of pool.takeDropped()) listeners.dropped.notify(drop);
  }

  /** Reports failures and console output of a stored block's operations to the listeners of executions. */
  #reportExecutions(block: BlockSummary, transactions: readonly AppliedTransaction[]): void {
    const listener = this.#core.watch?.listener;
    if (listener?.included === undefined) return;
    const reported: ReportedOperation[] = [];
    let index = 0;
    for (const { outcomes } of transactions) {
      for (const { status, consoleCalls } of outcomes) {
        const isFailure = status === 'failure';
        if (isFailure || consoleCalls !== undefined) reported.push({ index, isFailure, consoleCalls });
        index += 1;
      }
    }
    if (reported.length > 0) listener.included(block, reported);
  }
}
