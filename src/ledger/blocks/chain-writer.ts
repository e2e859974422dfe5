import type { BlockSummary } from '../chain/records.ts';
import type { LedgerCore, ReportedOperation } from '../core.ts';
import { refuse } from '../errors/refusal.ts';
import type { AppliedTransaction } from '../transactions/apply-transaction.ts';
import type { AddedBlock, BlockBuild } from './block-build.ts';
import { type BlockOrderer, BlockSteps } from './block-steps.ts';

/** The one way to change a chain: blocks are added one at a time, and nothing is written during a pause. */
export class ChainWriter {
  readonly #core: LedgerCore;
  /** The block that is being added in several slices. */
  #adding: BlockSteps | undefined;
  /** Reason for the pause of writes; undefined without a pause. */
  #pausedFor: string | undefined;

  constructor(core: LedgerCore) {
    this.#core = core;
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
  begin(adding: BlockBuild, blockOrderer?: BlockOrderer, onStored?: () => void): BlockSteps {
    const onAdded = (added: AddedBlock, until: number): void => {
      onStored?.();
      this.announce(added, until);
    };
    this.#adding = new BlockSteps(adding, onAdded, blockOrderer);
    return this.#adding;
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
