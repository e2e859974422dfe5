import { hexIdOf, invariant } from '../../protocol/index.ts';
import type { BlockCommit, IndexedLog, Store } from '../../store/index.ts';
import type { BlockContent } from '../chain/chain.ts';
import { type BlockSummary, encodeBlockRecord, type OperationReceipt } from '../chain/records.ts';
import type { BlockWork, DroppedTransaction, LedgerCore } from '../core.ts';
import { type Steps, stepUntil } from '../steps.ts';
import { type EncodedHeader, summarize } from './block-assembly.ts';
import type { AppliedBlock } from './conclude-block.ts';

/** Returns a block and everything it implies, as the store takes them. */
export function commitOf(
  summary: BlockSummary,
  { headerBytes }: EncodedHeader,
  applied: AppliedBlock,
): BlockCommit {
  return {
    number: summary.number,
    block: encodeBlockRecord(summary, headerBytes),
    transactions: applied.transactions,
    receipts: applied.receiptBytes,
    operationHashes: applied.operationHashes,
    otherHashes: applied.otherHashes,
    involved: applied.involved,
    logs: applied.receipts.flatMap(indexedLogs),
    payers: applied.payers,
    state: applied.changes,
    accumulator: applied.accumulator,
  };
}

/** Commits a block, everything it implies and what goes with it, at once. */
export function storeBlock(
  store: Store,
  summary: BlockSummary,
  header: EncodedHeader,
  applied: AppliedBlock,
  besides: Pick<BlockCommit, 'genesis' | 'removedPending'>,
): void {
  store.commitBlock({ ...commitOf(summary, header, applied), ...besides });
}

export function indexedLogs({ logs }: OperationReceipt, operation: number): IndexedLog[] {
  return logs.map(({ address, topics }, offset) => ({ operation, offset, address, topics }));
}

/** A block that was just added to the chain. */
export interface AddedBlock {
  readonly summary: BlockSummary;
  readonly applied: AppliedBlock;
  /** Transactions that were to be in it and that the rules do not allow. */
  readonly refused: readonly DroppedTransaction[];
  /** Ids, in hexadecimal, of the transactions that are pending no longer: those of the block, and the refused ones. */
  readonly removedIds: readonly string[];
  readonly work: BlockWork;
}

/** A block that is made, and neither appended nor stored yet. */
export interface MadeBlock extends EncodedHeader {
  readonly applied: AppliedBlock;
  readonly refused: readonly DroppedTransaction[];
  /** True if the pool executed its transactions: the state of the head does not contain them yet. */
  readonly isExecutedByPool: boolean;
}

/**
 * A block under construction, one at a time, in three steps. `make` checks and executes it; a block of this node is
 * signed and recorded beside its key. Then the block orderer decides: this node, or a block log to which the caller
 * appends it. `store` commits it; `discard` drops a block that lost its number to another one. Readers see nothing of
 * it before it is stored.
 */
export class BlockBuild {
  readonly #core: LedgerCore;
  readonly #steps: Steps<MadeBlock>;
  #made: MadeBlock | undefined;
  #makeMilliseconds = 0;

  constructor(core: LedgerCore, steps: Steps<MadeBlock>) {
    this.#core = core;
    this.#steps = steps;
  }

  /**
   * Continues until the block is made or a moment has come. If it throws, the block is discarded.
   * @returns undefined while there is more to do
   */
  make(until: number): MadeBlock | undefined {
    if (this.#made !== undefined) return this.#made;
    const { origin, time } = this.#core;
    const begin = time.now();
    try {
      const { done, value } = stepUntil(this.#steps, until, time);
      if (done === true) this.#made = value;
    } catch (error) {
      this.discard();
      throw error;
    }
    this.#makeMilliseconds += time.now() - begin;
    origin.state.pauseBlock();
    return this.#made;
  }

  /** The block once it is made. */
  get made(): MadeBlock | undefined {
    return this.#made;
  }

  /** Stores the block, which is made and ordered. If it throws, the block is discarded. */
  store(): AddedBlock {
    invariant(this.#made !== undefined, 'a block is stored once it is made');
    try {
      const added = this.#commit(this.#made);
      this.#core.origin.state.endBlock();
      return added;
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Discards the block, made or not: the state is the head's again, and its transactions stay pending. */
  discard(): void {
    const { state } = this.#core.origin;
    this.#made = undefined;
    state.applying.discard();
    state.endBlock();
  }

  #commit(made: MadeBlock): AddedBlock {
    const { applied, refused, isExecutedByPool } = made;
    const { store, chain, time, origin, pool } = this.#core;
    const { state } = origin;
    const begin = time.now();
    const summary = summarize(chain.head().number + 1, made, applied);
    const removedIds = [
      ...applied.applied.map(({ id }) => id),
      ...refused.map(({ transaction }) => hexIdOf(transaction)),
    ];
    const ready = time.now();
    storeBlock(store, summary, made, applied, { removedPending: pool.leaving(removedIds) });
    const commitMilliseconds = time.now() - ready;
    chain.advance(summary, contentOf(applied));
    if (isExecutedByPool) state.applying.clear();
    else state.applying.settle();
    const applyMilliseconds = this.#makeMilliseconds + ready - begin;
    return {
      summary,
      applied,
      refused,
      removedIds,
      work: { applyMilliseconds, commitMilliseconds, gas: applied.gas },
    };
  }
}

/** Returns the content of a block, as if read from the store. */
function contentOf({ transactions, applied, receipts }: AppliedBlock): BlockContent {
  const placed = applied.map(({ transaction, operationHashes }, index) => {
    const stored = transactions[index];
    invariant(stored !== undefined, 'each applied transaction is stored');
    return { firstOperation: stored.firstOperation, transaction, operationHashes };
  });
  return { transactions: placed, receipts };
}

/** Adds a block in one step. Throws as its steps. */
export function atOnce(build: BlockBuild): AddedBlock {
  build.make(Number.POSITIVE_INFINITY);
  return build.store();
}
