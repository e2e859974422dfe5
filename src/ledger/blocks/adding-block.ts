import { type ContractId, invariant, type SignedBlockHeader } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { Stopwatch } from '../../time.ts';
import type { BlockContent, BlockSummary, Chain } from '../chain/index.ts';
import type { HeadState } from '../state/index.ts';
import { type Steps, stepUntil } from '../steps.ts';
import { type DroppedTransaction, hexIdOf } from '../transactions/index.ts';
import type { AppliedBlock } from './apply-block.ts';
import { summarize } from './block-assembly.ts';
import { storeBlock } from './store-block.ts';

/** The work of adding a block, in time and gas. */
export interface BlockWork {
  /** Applying it: checks, execution, roots and, for a block of this node, its signature. */
  readonly applyMilliseconds: number;
  /** Writing it to the store. */
  readonly commitMilliseconds: number;
  /** Gas that its operations on contracts were charged together. */
  readonly gas: bigint;
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
export interface MadeBlock {
  readonly header: SignedBlockHeader;
  readonly applied: AppliedBlock;
  readonly refused: readonly DroppedTransaction[];
}

/** What a block is added to: the store that keeps it, and what holds the head in memory meanwhile. */
export interface AddingParts {
  readonly store: Store;
  readonly chain: Chain;
  readonly state: HeadState;
  readonly time: Stopwatch;
  /** The sequences under which the store keeps the pending transactions with these ids. */
  leaving(ids: readonly string[]): readonly number[];
}

/**
 * A block on its way into the chain, in three steps: it is made (checked and executed; one of this node is signed, and
 * goes on record beside its key), it is appended to the one order of the chain's blocks, and it is stored. With the
 * node's own store as that order, appending is nothing. A block log that decides is asked between `make` and `store`; a
 * block that loses its place to another one is discarded. Nothing of it is seen before it is stored. One at a time.
 */
export class AddingBlock {
  readonly #parts: AddingParts;
  readonly #steps: Steps<MadeBlock>;
  #made: MadeBlock | undefined;
  #makeMilliseconds = 0;

  constructor(parts: AddingParts, steps: Steps<MadeBlock>) {
    this.#parts = parts;
    this.#steps = steps;
  }

  /**
   * Goes on until the block is made or a moment has come. Whatever it throws, the block is
   * discarded then.
   *
   * @returns undefined while there is more to do
   */
  make(until: number): MadeBlock | undefined {
    if (this.#made !== undefined) return this.#made;
    const { state, time } = this.#parts;
    const begin = time.now();
    try {
      const { done, value } = stepUntil(this.#steps, until, time);
      if (done === true) this.#made = value;
    } catch (error) {
      this.discard();
      throw error;
    }
    this.#makeMilliseconds += time.now() - begin;
    state.setAside();
    return this.#made;
  }

  /** The block once it is made. */
  get made(): MadeBlock | undefined {
    return this.#made;
  }

  /** Stores the block, which is made and has its place. What it throws, the block is discarded then. */
  store(): AddedBlock {
    invariant(this.#made !== undefined, 'a block is stored once it is made');
    try {
      const added = this.#commit(this.#made);
      this.#parts.state.takeBack();
      return added;
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Gives the block up, made or not: the state is the head's again, and what waited for it waits on. */
  discard(): void {
    const { state } = this.#parts;
    this.#made = undefined;
    state.applying.discard();
    state.takeBack();
  }

  #commit({ header, applied, refused }: MadeBlock): AddedBlock {
    const { state, store, chain, time, leaving } = this.#parts;
    const begin = time.now();
    const summary = summarize(chain.head().number + 1, header, applied);
    const removedIds = [
      ...applied.applied.map(({ id }) => id),
      ...refused.map(({ transaction }) => hexIdOf(transaction)),
    ];
    const ready = time.now();
    const contractAddressOf = (id: ContractId) => state.applying.native.contractAddress(id);
    storeBlock(store, summary, applied, contractAddressOf, { removedPending: leaving(removedIds) });
    const commitMilliseconds = time.now() - ready;
    chain.advance(summary, contentOf(applied));
    state.applying.settle();
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

/** What a block holds, as it would be read from the store. */
function contentOf({ transactions, applied, receipts }: AppliedBlock): BlockContent {
  const placed = applied.map(({ transaction }, index) => {
    const stored = transactions[index];
    invariant(stored !== undefined, 'each applied transaction is stored');
    return { firstOperation: stored.firstOperation, transaction };
  });
  return { transactions: placed, receipts };
}

/** Adds a block without a stop. Throws what its steps throw. */
export function atOnce(adding: AddingBlock): AddedBlock {
  adding.make(Number.POSITIVE_INFINITY);
  return adding.store();
}
