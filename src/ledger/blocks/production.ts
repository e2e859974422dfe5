import { CLOCK_TIME_MAX } from '../../consensus.ts';
import type { SignedTransaction } from '../../protocol/index.ts';
import type { BlockTiming } from '../chain/clock.ts';
import type { BlockSummary } from '../chain/records.ts';
import type { LedgerCore } from '../core.ts';
import { type RefusedError, refuse, throwRefusal } from '../errors/refusal.ts';
import { gasOffered } from '../transactions/transaction-checks.ts';
import type { NextBlockOptions } from './block-assembly.ts';
import { type AddedBlock, atOnce } from './block-build.ts';
import type { BlockProducer } from './block-producer.ts';
import type { BlockOrderer, BlockSteps } from './block-steps.ts';
import type { ChainWriter } from './chain-writer.ts';
import type { ProducerKeys } from './producer-keys.ts';
import { storeTogether } from './stored-together.ts';

/** Number and time stamps of blocks. */
export interface EmptyBlocksOptions {
  readonly most: number;
  /** Moment of the ledger's time after which none is begun but the first. */
  readonly until: number;
  /** Seconds between the time stamps of consecutive blocks; undefined: each has the clock's time. */
  readonly step: number | undefined;
}

/** Time stamp of the block so many seconds after another one, as late as a block may be. */
function timeAfter({ header }: BlockSummary, step: number | undefined): number | undefined {
  if (step === undefined) return undefined;
  return Math.max(header.timestamp, Math.min(header.timestamp + step, CLOCK_TIME_MAX));
}

/** Makes blocks without transactions, and stores them together. See `storeTogether`; the clock, too, is as it was. */
function addEmptyBlocks(
  core: LedgerCore,
  producer: BlockProducer,
  { most, until, step }: EmptyBlocksOptions,
): AddedBlock[] {
  const { chain, clock } = core;
  const { timing } = clock;
  try {
    return storeTogether(core, most, until, () => {
      const block = atOnce(producer.produce([], { timestamp: timeAfter(chain.head(), step) }));
      clock.passed(block.summary.header.timestamp);
      return block;
    });
  } catch (error) {
    clock.setTiming(timing);
    throw error;
  }
}

/**
 * The time of production. `instant`: a block for every transaction while mining is on. `onDemand`: when `mine` is
 * called. `scheduled`: the same, and transactions are accepted without a key, since other producers receive them.
 * `none`: blocks come from other nodes, and transactions are not accepted.
 */
type ProductionMode = 'instant' | 'onDemand' | 'scheduled' | 'none';

/** Settings of a ledger by a test, beside its chain. */
export interface LedgerSettings {
  readonly timing: BlockTiming;
  readonly production: ProductionMode;
  /** True if block production is on. */
  readonly mining: boolean;
  /** Gas that a block may take; undefined: any. */
  readonly gasLimit: bigint | undefined;
}

/** The dependencies of production. */
export interface ProductionTools {
  readonly writer: ChainWriter;
  readonly keys: ProducerKeys;
  readonly producer: BlockProducer;
}

/** The production of this node's blocks. */
export class Production {
  readonly keys: ProducerKeys;
  readonly #core: LedgerCore;
  readonly #writer: ChainWriter;
  readonly #producer: BlockProducer;
  #mode: ProductionMode;
  #isOn: boolean;
  #gasLimit: bigint | undefined;

  constructor(
    core: LedgerCore,
    { writer, keys, producer }: ProductionTools,
    { production, mining }: Pick<LedgerSettings, 'production' | 'mining'>,
  ) {
    this.#core = core;
    this.#writer = writer;
    this.keys = keys;
    this.#producer = producer;
    this.#mode = production;
    this.#isOn = mining;
  }

  /** Returns true if this node produces blocks: mining is on, writes are not paused, and it holds a producer's key. */
  isMining(): boolean {
    return this.#isOn && this.#mode !== 'none' && !this.#writer.isPaused && this.keys.holdsAny();
  }

  /** Returns true if a transaction gets its block on arrival, if a block has room for it. */
  isInstant(): boolean {
    return this.#mode === 'instant' && this.isMining() && this.keys.holdsNext();
  }

  /** Returns true if an empty block has room for a transaction. */
  hasRoom(transaction: SignedTransaction): boolean {
    return this.#gasLimit === undefined || gasOffered(transaction) <= this.#gasLimit;
  }

  /** Throws `RefusedError` if a submitted transaction could never be included. */
  requireProducing(): void {
    if (this.#mode === 'scheduled') return;
    if (this.#mode === 'none' || !this.keys.holdsAny()) refuse({ code: 'makesNoBlocks' });
  }

  // Settings

  /** The settings of time and production by a test, which a snapshot also holds. */
  get settings(): LedgerSettings {
    const { timing } = this.#core.clock;
    return { timing, production: this.#mode, mining: this.#isOn, gasLimit: this.#gasLimit };
  }

  /** Sets all of it, and makes no blocks by that. */
  restore({ timing, production, mining, gasLimit }: LedgerSettings): void {
    this.#core.clock.setTiming(timing);
    this.#mode = production;
    this.#isOn = mining;
    this.#gasLimit = gasLimit;
  }

  /** Selects instant production, pending transactions included, or production on demand. */
  setProduction(production: 'instant' | 'onDemand'): void {
    this.#mode = production;
    this.minePending();
  }

  /** Gas that a block of this node may take; undefined: any. A transaction that offers more than that waits. */
  get gasLimit(): bigint | undefined {
    return this.#gasLimit;
  }

  setGasLimit(gasLimit: bigint | undefined): void {
    this.#gasLimit = gasLimit;
    this.minePending();
  }

  /** Starts block production; with instant production, pending transactions get their blocks at once. */
  startMining(): void {
    this.#isOn = true;
    this.minePending();
  }

  stopMining(): void {
    this.#isOn = false;
  }

  // Blocks

  /**
   * Makes a block of the pending transactions, even an empty one, whether or not mining is on.
   * @param timestamp of the block, or the head's if that is later; a later time moves the clock. Absent: the clock's
   *   time
   * @throws NoProducerKeyError, SignedBeforeError, and RefusedError while writes are paused; nothing is changed then
   */
  mine(timestamp?: number): BlockSummary {
    this.#writer.completeBlock();
    return this.#mine(this.#core.origin.pool.transactions(), timestamp).summary;
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
    const { chain, clock } = this.#core;
    const headTime = chain.head().header.timestamp;
    const time = timestamp === undefined ? undefined : Math.max(timestamp, headTime);
    const options = { timestamp: time, gasLimit: this.#gasLimit };
    const added = atOnce(this.#producer.produce(transactions, options));
    if (time !== undefined) clock.keepUp(time);
    this.#writer.announce(added);
    return added;
  }

  /**
   * Adds a block of one transaction, without notifying listeners.
   * @throws RefusedError if the rules reject it; nothing is changed then
   */
  produceAlone(transaction: SignedTransaction): AddedBlock {
    return atOnce(this.#producer.produce([transaction], { onRefused: throwRefusal }));
  }

  /**
   * Makes consecutive blocks like `mine`: at least one, and no more once a moment of the ledger's time has come. Empty
   * ones are stored together.
   * @param step seconds between the time stamps; absent: each has the clock's time
   * @returns the number of blocks, at most `most`
   * @throws as `mine`; the blocks of this call that were to be stored together are lost then
   */
  mineSeveral(most: number, until: number, step?: number): number {
    const { chain, clock, origin } = this.#core;
    this.#writer.completeBlock();
    if (origin.pool.size > 0) {
      this.mine(timeAfter(chain.head(), step));
      return 1;
    }
    const added = addEmptyBlocks(this.#core, this.#producer, { most, until, step });
    if (step !== undefined) clock.keepUp(chain.head().header.timestamp);
    for (const block of added) this.#writer.announce(block);
    return added.length;
  }

  /**
   * Begins to make a block like `mine`, in several goes. When the time is over it takes no more transactions: at least
   * one is taken, and the rest waits for later blocks.
   *
   * @param timeLimit milliseconds from now
   * @param blockOrderer with `log` the block is stored when `store` is called, and not before
   * @throws NoProducerKeyError, SignedBeforeError, BlockRejectedError for an attempt that comes too early, and
   *   RefusedError while writes are paused
   */
  beginBlock(
    timeLimit: number,
    next: NextBlockOptions = {},
    blockOrderer: BlockOrderer = 'node',
  ): BlockSteps {
    this.#writer.completeBlock();
    const options = { ...next, timeLimit, gasLimit: this.#gasLimit };
    const { pool } = this.#core.origin;
    return this.#writer.begin(this.#producer.produce(pool.transactions(), options), blockOrderer);
  }

  /** Makes the blocks of pending transactions with instant production. */
  minePending(): void {
    const { origin } = this.#core;
    const hasWork = () => origin.pool.transactions().some((waiting) => this.hasRoom(waiting));
    while (this.isInstant() && hasWork()) this.mine();
  }
}
