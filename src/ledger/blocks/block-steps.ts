import { type BlockId, blockId, invariant } from '../../protocol/index.ts';
import { type BlockSummary, serializeBlock } from '../chain/records.ts';
import { RefusedError } from '../errors/refusal.ts';
import type { AddedBlock, BlockBuild } from './block-build.ts';

/** Called with a block that was just added; more work may be done with it until `until`, on the ledger's time. */
type AddedListener = (added: AddedBlock, until: number) => void;

/** Who says that a block has its place: nobody but this node, or the block log that is asked once it is made. */
export type BlockOrderer = 'node' | 'log';

/** A block as a block log takes it. */
export interface SerializedBlock {
  readonly number: number;
  readonly id: BlockId;
  /** The block before it. */
  readonly parent: BlockId;
  readonly bytes: Uint8Array;
}

/**
 * A block that is added in several goes, between which everything else may go on: what is read is the head of before,
 * and what is submitted waits for the next block. Whatever else adds a block takes the rest of this one's way first;
 * one whose place the block log gives gives way to it.
 */
export class BlockSteps {
  readonly #adding: BlockBuild;
  readonly #onAdded: AddedListener;
  readonly #blockOrderer: BlockOrderer;
  #outcome: (() => BlockSummary) | undefined;

  constructor(adding: BlockBuild, onAdded: AddedListener, blockOrderer: BlockOrderer = 'node') {
    this.#adding = adding;
    this.#onAdded = onAdded;
    this.#blockOrderer = blockOrderer;
  }

  /** The block, which is made and not over. */
  serialized(): SerializedBlock {
    const { made } = this.#adding;
    invariant(made !== undefined, 'a block is serialized once it is made');
    const { header, applied } = made;
    const number = Number(header.round);
    const bytes = serializeBlock(header, applied.transactions);
    return { number, id: blockId(number, header), parent: header.previous, bytes };
  }

  /** Whether the block is added or given up. */
  get isOver(): boolean {
    return this.#outcome !== undefined;
  }

  /**
   * Goes on until the block is made or a moment of the ledger's time has come.
   *
   * @returns whether it is made, or even added
   * @throws what making a block at once throws; nothing is changed then
   */
  make(until: number): boolean {
    if (this.#outcome !== undefined) return this.#outcome() !== undefined;
    return this.#ending(() => this.#adding.make(until)) !== undefined;
  }

  /**
   * Stores the block, which is made and has its place, and calls the listener.
   *
   * @param until moment until which there may be more work with it
   * @throws what storing a block at once throws; nothing is changed then
   */
  store(until: number): BlockSummary {
    if (this.#outcome !== undefined) return this.#outcome();
    const added = this.#ending(() => this.#adding.store());
    this.#outcome = () => added.summary;
    this.#ending(() => this.#onAdded(added, until));
    return added.summary;
  }

  /** Takes the rest of the way, or gives way. Nothing is thrown: whoever takes the next step is told how it ended. */
  finish(): void {
    if (this.#blockOrderer === 'log') {
      this.discard('another block comes first');
      return;
    }
    try {
      this.make(Number.POSITIVE_INFINITY);
      this.store(Number.POSITIVE_INFINITY);
    } catch {
      // It is kept for the next step.
    }
  }

  /** Gives it up for a reason, made or not: nothing is changed. Does nothing once it is over. */
  discard(reason: string): void {
    if (this.isOver) return;
    this.#adding.discard();
    this.#fail(new RefusedError({ code: 'writesPaused', reason }));
  }

  /** Does a part of the work; what it throws is how the block ended. */
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
