import { type BlockId, blockId, invariant } from '../../protocol/index.ts';
import { type Job, runUntil } from '../../time/job.ts';
import type { Stopwatch } from '../../time/time.ts';
import { type BlockSummary, serializeBlock } from '../chain/records.ts';
import type { BlockWork, DroppedTransaction } from '../core.ts';
import { UnsignedBlockError } from '../errors/chain-errors.ts';
import { RefusedError } from '../errors/refusal.ts';
import type { EncodedHeader } from './block-assembly.ts';
import type { AppliedBlock } from './conclude-block.ts';

/** A block that was executed. */
export interface MadeBlock {
  readonly applied: AppliedBlock;
  /** Transactions that were to be in it and that the rules do not allow. */
  readonly refused: readonly DroppedTransaction[];
  /** True if the pool executed its transactions: the state of the head does not contain them yet. */
  readonly isExecutedByPool: boolean;
  /** The header of a block of another node, or what signs one of this node and records it beside its key. */
  readonly header: EncodedHeader | SignHeader;
}

/** Makes a block, in steps. */
export type BlockJob = Job<MadeBlock>;

type SignHeader = () => EncodedHeader | Promise<EncodedHeader>;

/** A block that can be stored, and the milliseconds that making it took. */
export interface SignedBlock extends EncodedHeader, Omit<MadeBlock, 'header'> {
  readonly makeMilliseconds: number;
}

/** The authority that orders a block: this node, or a block log that is queried once the block is signed. */
export type BlockOrderer = 'node' | 'log';

/** A block as a block log takes it. */
export interface SerializedBlock {
  readonly number: number;
  readonly id: BlockId;
  readonly parent: BlockId;
  readonly bytes: Uint8Array;
}

/** A block that was just added to the chain. */
export interface AddedBlock extends Pick<MadeBlock, 'applied' | 'refused'> {
  readonly summary: BlockSummary;
  /** Ids, in hexadecimal, of the transactions that are pending no longer: those of the block, and the refused ones. */
  readonly removedIds: readonly string[];
  readonly work: BlockWork;
}

/** The chain that a new block is added to. */
export interface NewBlockChain {
  readonly time: Stopwatch;
  /** Lets others read the state of the head until the next step. */
  pauseBlock(): void;
  /** Drops the changes of the block. */
  discardBlock(): void;
  /** Stores the block. If it throws, nothing is changed, and the block is to be discarded. */
  storeBlock(block: SignedBlock): AddedBlock;
  /** Announces the block; more work may be done with it until a moment of the ledger's time. */
  announce(added: AddedBlock, until: number): void;
}

type Stage =
  | { readonly name: 'making' | 'signing' }
  | { readonly name: 'made'; readonly block: MadeBlock; readonly sign: SignHeader }
  | { readonly name: 'signed'; readonly block: SignedBlock }
  | { readonly name: 'stored'; readonly added: AddedBlock }
  | { readonly name: 'failed'; readonly error: unknown };

/**
 * A block that is added to a chain, one at a time, in four stages: `make` checks and executes it in slices, `sign` signs
 * a block of this node, its orderer orders it, `store` commits it. Readers see nothing of it before it is stored, and
 * submitted transactions wait for the next block. Any other change of the chain first completes this block; one that a
 * block log orders, or that awaits its signature, is discarded instead. An exception of a stage ends the block, and
 * nothing is changed then.
 */
export class NewBlock {
  readonly #chain: NewBlockChain;
  readonly #job: BlockJob;
  readonly #orderer: BlockOrderer;
  #stage: Stage = { name: 'making' };
  #makeMilliseconds = 0;

  constructor(chain: NewBlockChain, job: BlockJob, orderer: BlockOrderer = 'node') {
    this.#chain = chain;
    this.#job = job;
    this.#orderer = orderer;
  }

  /** True if the block was stored, or ended without that. */
  get isOver(): boolean {
    return this.#stage.name === 'stored' || this.#stage.name === 'failed';
  }

  /** Continues until the block is made or a moment of the ledger's time has come. Returns true if it is made. */
  make(until: number): boolean {
    if (this.#stage.name === 'failed') throw this.#stage.error;
    if (this.#stage.name !== 'making') return true;
    const { time } = this.#chain;
    const begin = time.now();
    const { done, value } = this.#ending(() => runUntil(this.#job, until, time));
    this.#makeMilliseconds += time.now() - begin;
    if (done === true) {
      const { header } = value;
      if (typeof header === 'function') this.#stage = { name: 'made', block: value, sign: header };
      else this.#complete(value, header);
    }
    this.#chain.pauseBlock();
    return done === true;
  }

  /** Makes the block as a job. */
  *making(): Generator<void, void, number> {
    while (!this.make(yield));
  }

  /** Signs a block of this node, which is made; synchronously with a key of this process. */
  sign(): void | Promise<void> {
    const stage = this.#stage;
    if (stage.name === 'failed') throw stage.error;
    if (stage.name !== 'made') return;
    const { block, sign } = stage;
    const begin = this.#chain.time.now();
    const complete = (header: EncodedHeader): void => {
      this.#makeMilliseconds += this.#chain.time.now() - begin;
      this.#complete(block, header);
    };
    const signed = this.#ending(sign);
    if (!(signed instanceof Promise)) return complete(signed);
    this.#stage = { name: 'signing' };
    return signed.catch((error) => this.#fail(error)).then(complete);
  }

  /** Serializes the block, which is signed and not stored or discarded yet. */
  serialized(): SerializedBlock {
    invariant(this.#stage.name === 'signed', 'a block is serialized once it is signed');
    const { header, headerBytes, applied } = this.#stage.block;
    const number = Number(header.round);
    const bytes = serializeBlock(headerBytes, applied.transactions);
    return { number, id: blockId(number, headerBytes), parent: header.previous, bytes };
  }

  /**
   * Stores the block, which is signed and ordered, and announces it.
   * @param until end of the slice, for work that follows
   */
  store(until: number): BlockSummary {
    const stage = this.#stage;
    if (stage.name === 'failed') throw stage.error;
    if (stage.name === 'stored') return stage.added.summary;
    const added = this.#storeSigned();
    try {
      this.#chain.announce(added, until);
    } catch (error) {
      this.#stage = { name: 'failed', error };
      throw error;
    }
    return added.summary;
  }

  /** Runs all stages at once, without announcing the block. @throws UnsignedBlockError, and as the job */
  addAtOnce(): AddedBlock {
    this.make(Number.POSITIVE_INFINITY);
    const signing = this.sign();
    if (signing === undefined) return this.#storeSigned();
    // It ends with the error of the block.
    signing.catch(() => undefined);
    return this.#fail(new UnsignedBlockError());
  }

  /** Completes or discards the block. Throws nothing: the next step reports the outcome. */
  finish(): void {
    if (this.#orderer === 'log' || this.#stage.name === 'signing') {
      this.discard('another block comes first');
      return;
    }
    if (this.isOver) return;
    try {
      this.#chain.announce(this.addAtOnce(), Number.POSITIVE_INFINITY);
    } catch (error) {
      // The next step reports the error.
      this.#stage = { name: 'failed', error };
    }
  }

  /** Discards the block for a reason, made or not: nothing is changed. Does nothing once it is over. */
  discard(reason: string): void {
    if (this.isOver) return;
    this.#chain.discardBlock();
    this.#stage = { name: 'failed', error: new RefusedError({ code: 'writesPaused', reason }) };
  }

  /** Notes the header of the block. @throws the error with which the block ended while it was being signed */
  #complete({ header: _header, ...made }: MadeBlock, header: EncodedHeader): void {
    if (this.#stage.name === 'failed') throw this.#stage.error;
    this.#stage = {
      name: 'signed',
      block: { ...made, ...header, makeMilliseconds: this.#makeMilliseconds },
    };
  }

  #storeSigned(): AddedBlock {
    const stage = this.#stage;
    invariant(stage.name === 'signed', 'a block is stored once it is signed');
    const added = this.#ending(() => this.#chain.storeBlock(stage.block));
    this.#stage = { name: 'stored', added };
    return added;
  }

  /** Runs a step; an exception ends the block. */
  #ending<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Ends the block by an error, unless it is over: then the first error stays. */
  #fail(error: unknown): never {
    if (this.#stage.name === 'failed') throw this.#stage.error;
    this.#chain.discardBlock();
    this.#stage = { name: 'failed', error };
    throw error;
  }
}
