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

/** How many blocks are made, and when. */
export interface EmptyBlocksOptions {
  readonly most: number;
  /** Moment of the ledger's time after which none is begun but the first. */
  readonly until: number;
  /** Seconds from each block to the next; undefined: each has the time that the clock says. */
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
 * When blocks are made: `instant` makes one for every transaction while mining is on; `onDemand` when `mine` is called;
 * `inTurns` is the same, and transactions are taken whether or not a key is held here, since they get to those who hold
 * one; with `none` blocks come from elsewhere, and transactions are not taken.
 */
type ProductionMode = 'instant' | 'onDemand' | 'inTurns' | 'none';

/** What a test can set of a ledger, beside its chain. */
export interface LedgerSettings {
  readonly timing: BlockTiming;
  readonly production: ProductionMode;
  /** Whether block generation is on. */
  readonly mining: boolean;
  /** Gas that a block may take; undefined: any. */
  readonly gasLimit: bigint | undefined;
}

/** What blocks of a node are made with. */
export interface ProductionTools {
  readonly writer: ChainWriter;
  readonly keys: ProducerKeys;
  readonly producer: BlockProducer;
}

/** The blocks that a node makes of its own, as far as it is told to. */
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

  /** Whether this node is generating blocks: mining is on, no pause, and it holds a producer's consensus key. */
  isMining(): boolean {
    return this.#isOn && this.#mode !== 'none' && !this.#writer.isPaused && this.keys.holdsAny();
  }

  /** Whether what is sent gets its block when it comes, if a block has place for it. */
  isInstant(): boolean {
    return this.#mode === 'instant' && this.isMining() && this.keys.holdsNext();
  }

  /** Whether a block without others would take it. */
  hasPlace(transaction: SignedTransaction): boolean {
    return this.#gasLimit === undefined || gasOffered(transaction) <= this.#gasLimit;
  }

  /** Throws `RefusedError` where what is sent gets into no block, ever. */
  requireProducing(): void {
    if (this.#mode === 'inTurns') return;
    if (this.#mode === 'none' || !this.keys.holdsAny()) refuse({ code: 'makesNoBlocks' });
  }

  // Settings

  /** What a test has set of time and of the production of blocks, which a snapshot holds as well. */
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

  /** From now on blocks are made at once for what is sent, and for what waits; or only when `mine` is called. */
  setProduction(production: 'instant' | 'onDemand'): void {
    this.#mode = production;
    this.mineWaiting();
  }

  /** Gas that a block of this node may take; undefined: any. A transaction that offers more than that waits. */
  get gasLimit(): bigint | undefined {
    return this.#gasLimit;
  }

  setGasLimit(gasLimit: bigint | undefined): void {
    this.#gasLimit = gasLimit;
    this.mineWaiting();
  }

  /** Block generation goes on; with instant production what waits gets its blocks at once. */
  startMining(): void {
    this.#isOn = true;
    this.mineWaiting();
  }

  stopMining(): void {
    this.#isOn = false;
  }

  // Blocks

  /**
   * Makes a block of the pending transactions, even an empty one, whether or not mining is on.
   *
   * @param timestamp of the block, or the head's where that is later: the time of day goes on from there if it is
   *   before; absent: what the clock says
   * @throws NoProducerKeyError, SignedBeforeError, and RefusedError while writes are paused; nothing is changed then
   */
  mine(timestamp?: number): BlockSummary {
    this.#writer.makeWay();
    return this.#mine(this.#core.origin.pool.transactions(), timestamp).summary;
  }

  /**
   * Makes a block of these transactions alone, whatever waits.
   *
   * @returns why the rules do not allow some of them: the block is there without these
   * @throws what `mine` throws; nothing is changed then
   */
  mineOnly(transactions: readonly SignedTransaction[], timestamp: number): readonly RefusedError[] {
    this.#writer.makeWay();
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
   * Adds a block of one transaction, once there is nothing that hinders it, and tells nobody yet.
   *
   * @throws RefusedError where the rules do not allow it; nothing is changed then
   */
  produceAlone(transaction: SignedTransaction): AddedBlock {
    return atOnce(this.#producer.produce([transaction], { onRefused: throwRefusal }));
  }

  /**
   * Makes blocks like `mine`, one after the other: at least one, and no more when a moment of the ledger's time has
   * come. Those without transactions are stored together.
   *
   * @param step seconds from each block to the next; absent: each has the time that the clock says
   * @returns how many there are, at most `most`
   * @throws what `mine` throws; the blocks of this call that were to be stored together are not there then
   */
  mineSeveral(most: number, until: number, step?: number): number {
    const { chain, clock, origin } = this.#core;
    this.#writer.makeWay();
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
    this.#writer.makeWay();
    const options = { ...next, timeLimit, gasLimit: this.#gasLimit };
    const { pool } = this.#core.origin;
    return this.#writer.begin(this.#producer.produce(pool.transactions(), options), blockOrderer);
  }

  /** What waits gets its blocks where they are made at once. */
  mineWaiting(): void {
    const { origin } = this.#core;
    const hasWork = () => origin.pool.transactions().some((waiting) => this.hasPlace(waiting));
    while (this.isInstant() && hasWork()) this.mine();
  }
}
