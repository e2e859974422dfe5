import { CLOCK_TIME_MAX } from '../../consensus.ts';
import type { SignedTransaction } from '../../protocol/index.ts';
import { WRITE_SLICE_MS } from '../../time/job.ts';
import { nextSettings } from '../chain/block-settings.ts';
import type { BlockTiming } from '../chain/clock.ts';
import type { BlockSummary } from '../chain/records.ts';
import type { LedgerCore } from '../core.ts';
import { type RefusedError, refuse } from '../errors/refusal.ts';
import { MissingEntriesError } from '../state/fork-base.ts';
import { gasOffered } from '../transactions/transaction-checks.ts';
import type { NextBlockOptions } from './block-assembly.ts';
import type { BlockBuilder } from './block-builder.ts';
import type { ChainWriter } from './chain-writer.ts';
import { type FirstMining, isAutomined, type Mining, miningOf, started, stopped } from './mining.ts';
import type { AddedBlock, BlockOrderer, NewBlock } from './new-block.ts';
import type { ProducerKeys } from './producer-keys.ts';

/** Returns the time stamp of the block `step` seconds after the head, clamped to the latest valid time. */
function timeAfter({ chain, clock }: LedgerCore, step: number | undefined): number | undefined {
  if (step === undefined) return undefined;
  const { timestamp } = chain.head().header;
  return Math.max(clock.earliestAfter(timestamp), Math.min(timestamp + step, CLOCK_TIME_MAX));
}

/** Settings of a ledger by a test, in addition to its chain. */
export interface LedgerSettings {
  readonly timing: BlockTiming;
  readonly mining: Mining;
  /** Gas that a block may take; undefined: any. */
  readonly gasLimit: bigint | undefined;
}

export interface MinerDependencies {
  readonly writer: ChainWriter;
  readonly keys: ProducerKeys;
  readonly builder: BlockBuilder;
}

/** Decides when this node makes a block, and of which transactions. */
export class Miner {
  readonly keys: ProducerKeys;
  readonly #core: LedgerCore;
  readonly #writer: ChainWriter;
  readonly #builder: BlockBuilder;
  /** Maker of the blocks: a test chain by its mining, the owner of the ledger, or other nodes. */
  readonly #maker: 'mining' | 'scheduled' | 'none';
  #mining: Mining;
  #gasLimit: bigint | undefined;
  #onMissing: ((missing: MissingEntriesError) => void) | undefined;

  constructor(core: LedgerCore, { writer, keys, builder }: MinerDependencies, first: FirstMining) {
    this.#core = core;
    this.#writer = writer;
    this.keys = keys;
    this.#builder = builder;
    this.#maker = first === 'scheduled' || first === 'none' ? first : 'mining';
    this.#mining = miningOf(first);
  }

  /** Returns true if this node produces blocks: mining is on, writes are not paused, and it holds a producer's key. */
  isMining(): boolean {
    return this.#mayMine && this.#maker !== 'none' && this.keys.holdsAny();
  }

  get #mayMine(): boolean {
    return this.#mining.mode !== 'manual' && !this.#writer.isPaused;
  }

  /** Returns true if a transaction that fits into a block is included on arrival. */
  isInstant(): boolean {
    const mayMine = this.#maker === 'mining' && this.#mayMine;
    return mayMine && isAutomined(this.#mining.mode) && this.keys.holdsNext();
  }

  /** Returns true if a transaction fits into an empty block. */
  hasRoom(transaction: SignedTransaction): boolean {
    const most = this.#mostGas;
    return most === undefined || gasOffered(transaction) <= most;
  }

  /** Gas of the largest transaction that fits into the next block; undefined: any. */
  get #mostGas(): bigint | undefined {
    const { chain, origin } = this.#core;
    return this.#gasLimit ?? nextSettings(chain.head(), chain.nextPatched(), origin.rules)?.gasLimit;
  }

  /** Throws `RefusedError` if a submitted transaction could never be included. */
  requireProducing(): void {
    if (this.#maker === 'scheduled') return;
    if (this.#maker === 'none' || !this.keys.holdsAny()) refuse({ code: 'makesNoBlocks' });
  }

  // Settings

  /** The settings of time and mining by a test, which a snapshot also holds. */
  get settings(): LedgerSettings {
    const { timing } = this.#core.clock;
    return { timing, mining: this.#mining, gasLimit: this.#gasLimit };
  }

  /** Restores settings without making blocks. */
  restore({ timing, mining, gasLimit }: LedgerSettings): void {
    this.#core.clock.setTiming(timing);
    this.#mining = mining;
    this.#gasLimit = gasLimit;
  }

  get mining(): Mining {
    return this.#mining;
  }

  /** Sets when blocks are made; with automine, pending transactions get their blocks at once. */
  setMining(mining: Mining): void {
    this.#mining = mining;
    this.minePending();
  }

  /** Starts block production in the mode before `stopMining`. */
  startMining(): void {
    this.setMining(started(this.#mining));
  }

  stopMining(): void {
    this.#mining = stopped(this.#mining);
  }

  /** Gas limit of this node's blocks; undefined: none. A transaction that offers more stays pending. */
  get gasLimit(): bigint | undefined {
    return this.#gasLimit;
  }

  setGasLimit(gasLimit: bigint | undefined): void {
    this.#gasLimit = gasLimit;
    this.minePending();
  }

  // Blocks

  /**
   * Makes a block of the pending transactions, even an empty one, whether or not mining is on.
   * @param timestamp of the block, or the earliest after the head if that is later; a later time moves the clock.
   *   Absent: the clock's time
   * @throws NoProducerKeyError, SignedBeforeError, and RefusedError while writes are paused; nothing is changed then
   */
  mine(timestamp?: number): BlockSummary {
    this.#writer.completeBlock();
    return this.#mine(this.#core.pool.inBlockOrder(), timestamp).summary;
  }

  /**
   * Makes a block of these transactions alone, without pending ones.
   * @returns the errors of rejected transactions, which the block omits
   * @throws as `mine`; nothing is changed then
   */
  mineOnly(transactions: readonly SignedTransaction[], timestamp: number): readonly RefusedError[] {
    this.#writer.completeBlock();
    return this.#mine(transactions, timestamp).refused.map(({ error }) => error);
  }

  #mine(transactions: readonly SignedTransaction[], timestamp: number | undefined): AddedBlock {
    const time = this.#timeOfNext(timestamp);
    const options = { timestamp: time, gasLimit: this.#gasLimit };
    const added = this.#writer.add(this.#builder.build(transactions, options));
    this.#keepUp(time);
    this.#writer.announce(added, this.#core.time.now() + WRITE_SLICE_MS);
    return added;
  }

  /**
   * Adds a block of one transaction, without notifying listeners.
   * @throws RefusedError if the rules reject it; nothing is changed then
   */
  produceAlone(transaction: SignedTransaction): AddedBlock {
    const onRefused = (error: RefusedError): never => {
      throw error;
    };
    return this.#writer.add(this.#builder.build([transaction], { onRefused }));
  }

  /**
   * Makes consecutive blocks like `mine`: at least one, and no more once a moment of the ledger's time has come. Empty
   * ones are stored together.
   * @param step seconds between the time stamps; absent: each has the clock's time
   * @returns the number of blocks, at most `most`
   * @throws as `mine`; the blocks of this call that were to be stored together are lost then
   */
  mineSeveral(most: number, until: number, step?: number): number {
    const { chain, clock, pool } = this.#core;
    this.#writer.completeBlock();
    if (pool.index.size > 0) {
      this.mine(timeAfter(this.#core, step));
      return 1;
    }
    const added = this.#addEmptyBlocks(most, until, step);
    if (step !== undefined) clock.keepUp(chain.head().header.timestamp);
    for (const block of added) this.#writer.announce(block);
    return added.length;
  }

  /** Makes empty blocks, and stores them together. If it throws, the clock is unchanged too. */
  #addEmptyBlocks(most: number, until: number, step: number | undefined): AddedBlock[] {
    const { chain, clock } = this.#core;
    const { timing } = clock;
    try {
      return this.#writer.addTogether(most, until, (index) => {
        if (index > 0) clock.passed(chain.head().header.timestamp);
        return this.#builder.build([], { timestamp: timeAfter(this.#core, step) });
      });
    } catch (error) {
      clock.setTiming(timing);
      throw error;
    }
  }

  /**
   * Begins to make a block like `mine`, in several slices. After the time limit it takes no more transactions: at least
   * one is taken, and the rest stays pending.
   * @param timeLimit milliseconds from now
   * @param next its time stamp is used as by `mine`
   * @param blockOrderer with `log` the block is stored only when `store` is called
   * @throws NoProducerKeyError, SignedBeforeError, BlockRejectedError for a premature attempt, and
   *   RefusedError while writes are paused
   */
  beginBlock(timeLimit: number, next: NextBlockOptions = {}, blockOrderer: BlockOrderer = 'node'): NewBlock {
    this.#writer.completeBlock();
    const timestamp = this.#timeOfNext(next.timestamp);
    const options = { ...next, timestamp, timeLimit, gasLimit: this.#gasLimit };
    const job = this.#builder.build(this.#core.pool.inBlockOrder(), options);
    return this.#writer.begin(job, blockOrderer, () => this.#keepUp(timestamp));
  }

  #timeOfNext(timestamp: number | undefined): number | undefined {
    if (timestamp === undefined) return undefined;
    const { chain, clock } = this.#core;
    return Math.max(timestamp, clock.earliestAfter(chain.head().header.timestamp));
  }

  /** Moves the clock to the time stamp that was asked for a block. */
  #keepUp(timestamp: number | undefined): void {
    if (timestamp !== undefined) this.#core.clock.keepUp(timestamp);
  }

  /**
   * Makes the blocks of pending transactions with instant production. On a forked chain they wait where entries of the
   * remote chain are missing, which is reported to the listener.
   */
  minePending(): void {
    const { pool } = this.#core;
    const hasIncludable = () => pool.ready().some((transaction) => this.hasRoom(transaction));
    try {
      while (pool.index.size > 0 && this.isInstant() && hasIncludable()) this.mine();
    } catch (error) {
      // What was done before stays done, so that the caller must not repeat it.
      if (!(error instanceof MissingEntriesError) || this.#onMissing === undefined) throw error;
      this.#onMissing(error);
    }
  }

  /** Sets the listener to entries that `minePending` has missed: it fetches them, and calls `minePending` again. */
  onMissing(listener: (missing: MissingEntriesError) => void): void {
    this.#onMissing = listener;
  }
}
