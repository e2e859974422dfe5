import { type BlockId, blockId, invariant } from '../../protocol/index.ts';
import { type BlockSummary, serializeBlock } from '../chain/records.ts';
import { RefusedError } from '../errors/refusal.ts';
import type { AddedBlock, BlockBuild } from './block-build.ts';

/** Called with a block that was just added; more work may be done with it until `until`, on the ledger's time. */
type AddedListener = (added: AddedBlock, until: number) => void;

/** The authority that orders a block: this node, or a block log that is queried once the block is made. */
export type BlockOrderer = 'node' | 'log';

/** A block as a block log takes it. */
export interface SerializedBlock {
  readonly number: number;
  readonly id: BlockId;
  readonly parent: BlockId;
  readonly bytes: Uint8Array;
}

/**
 * A block that is added in several slices. Between them readers see the previous head, and submitted transactions wait
 * for the next block. Any other change of the chain first completes this block; a block that a block log orders is
 * discarded instead.
 */
export class BlockSteps {
  readonly #build: BlockBuild;
  readonly #onAdded: AddedListener;
  readonly #blockOrderer: BlockOrderer;
  #outcome: (() => BlockSummary) | undefined;

  constructor(build: BlockBuild, onAdded: AddedListener, blockOrderer: BlockOrderer = 'node') {
    this.#build = build;
    this.#onAdded = onAdded;
    this.#blockOrderer = blockOrderer;
  }

  /** Serializes the block, which is made and not stored or discarded yet. */
  serialized(): SerializedBlock {
    const { made } = this.#build;
    invariant(made !== undefined, 'a block is serialized once it is made');
    const { header, headerBytes, applied } = made;
    const number = Number(header.round);
    const bytes = serializeBlock(headerBytes, applied.transactions);
    return { number, id: blockId(number, headerBytes), parent: header.previous, bytes };
  }

  /** True if the block was added or aborted. */
  get isOver(): boolean {
    return this.#outcome !== undefined;
  }

  /**
   * Continues until the block is made or a moment of the ledger's time has come.
   * @returns true if it is made, or even added
   * @throws as making a block at once; nothing is changed then
   */
  make(until: number): boolean {
    if (this.#outcome !== undefined) return this.#outcome() !== undefined;
    return this.#ending(() => this.#build.make(until)) !== undefined;
  }

  /**
   * Stores the block, which is made and ordered, and calls the listener.
   * @param until end of the slice, for work that follows
   * @throws as storing a block at once; nothing is changed then
   */
  store(until: number): BlockSummary {
    if (this.#outcome !== undefined) return this.#outcome();
    const added = this.#ending(() => this.#build.store());
    this.#outcome = () => added.summary;
    this.#ending(() => this.#onAdded(added, until));
    return added.summary;
  }

  /** Completes or discards the block. Throws nothing: the next step reports the outcome. */
  finish(): void {
    if (this.#blockOrderer === 'log') {
      this.discard('another block comes first');
      return;
    }
    try {
      this.make(Number.POSITIVE_INFINITY);
      this.store(Number.POSITIVE_INFINITY);
    } catch {
      // The next step reports the error.
    }
  }

  /** Discards the block for a reason, made or not: nothing is changed. Does nothing once it is over. */
  discard(reason: string): void {
    if (this.isOver) return;
    this.#build.discard();
    this.#fail(new RefusedError({ code: 'writesPaused', reason }));
  }

  /** Runs a step; an exception ends the block. */
  #ending<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    this.#outcome = () => {
      throw error;
    };
  }
}
