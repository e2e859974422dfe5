import { AMOUNT_MAX, CLOCK_TIME_MAX } from '../../consensus.ts';
import {
  automined,
  BLOCK_INTERVAL_SECONDS_DEFAULT,
  type BlockInterval,
  type BlockTiming,
  gasOffered,
  hasInterval,
  type Ledger,
  type Mining,
  RefusedError,
  started,
  stopped,
  timed,
} from '../../ledger/index.ts';
import type { SignedTransaction } from '../../protocol/index.ts';
import type { BlockOrder, ChainControl, ControlState, ForkedChain } from '../../rpc/index.ts';
import type { CpuBackoff } from '../../scheduling/index.ts';
import type { Time } from '../../time/time.ts';
import { BlockPipeline } from '../block-pipeline.ts';
import { type BlockTimer, overdueProblems, startBlockTimer } from '../block-timer.ts';
import { withEntries } from '../with-entries.ts';
import type { ControlStorage } from './control-file.ts';

export interface TestChainControlOptions {
  readonly time: Time;
  readonly backoff: CpuBackoff;
  readonly ledger: Ledger;
  /** True if an interval and automine leave each other on; absent: false. */
  readonly mixesMining?: boolean;
  /** Storage of block times and the gas limit between two runs; undefined: none. */
  readonly storage: ControlStorage | undefined;
  /** Fetches missing entries of the remote chain; absent: the chain is no fork. */
  readonly fork?: ForkedChain | undefined;
  setLogging(isOn: boolean): void;
  /** Called once for each gas limit, when a transaction exceeds it. */
  onTooMuchGas?(offered: bigint, most: bigint): void;
  /** Called when a block, the execution of pending transactions or the saving of a change fails. */
  onFailure(task: string, error: unknown): void;
}

/** Controls the mining mode, the block times and the gas limit of a test chain. */
export class TestChainControl implements ChainControl {
  readonly #options: TestChainControlOptions;
  readonly #pipeline: BlockPipeline;
  readonly #series: BlockSeries;
  /** The mining that the timer follows. */
  #timed: Mining | undefined;
  #timer: BlockTimer | undefined;
  #lastBlockWallTime: number;
  readonly #listening: (() => void)[] = [];
  #reportedGasLimit: bigint | undefined;

  /** Restores saved control. Blocks begin with `start`. */
  constructor(options: TestChainControlOptions) {
    this.#options = options;
    const { ledger, time, backoff, fork, onFailure } = options;
    const intervalMs = (): number => this.#intervalMs;
    this.#pipeline = new BlockPipeline({
      ledger,
      time,
      backoff,
      fork,
      get intervalMs() {
        return intervalMs();
      },
      onFailure: (error) => onFailure('pending transactions', error),
    });
    this.#series = new BlockSeries(options, this.#pipeline);
    ledger.miner.onMissing((missing) => {
      fork?.remote
        ?.fetch(missing)
        .then(() => ledger.miner.minePending())
        .catch((error) => onFailure('block production', error));
    });
    this.#lastBlockWallTime = ledger.blocks.head().header.timestamp * 1_000;
    const saved = options.storage?.load();
    if (saved === undefined) return;
    ledger.clock.setTiming(saved.timing);
    ledger.miner.setGasLimit(saved.gasLimit);
  }

  /** Starts the execution of pending transactions, and production at an interval. */
  start(): void {
    const { ledger, onFailure } = this.#options;
    const stopBlocks = ledger.chain.onBlock(() => {
      this.#lastBlockWallTime = this.#options.time.wallNow();
      try {
        // A time for this block alone is used up.
        this.#save();
      } catch (error) {
        onFailure('test control', error);
      }
    });
    const stopWaiting = ledger.pool.onPending((transaction) => this.#reportGas(transaction));
    this.#listening.push(stopBlocks, stopWaiting);
    this.#pipeline.start();
    // Those that missed entries of a fork when the ledger was opened.
    if (this.#options.fork?.remote !== undefined) ledger.miner.minePending();
    this.#timed = ledger.miner.mining;
    if (hasInterval(this.#timed.mode)) this.#timer = this.#startTimer(this.#timed);
  }

  /** Stops everything; blocks in flight are discarded. */
  close(): void {
    this.#series.close();
    this.#timer?.stop();
    this.#pipeline.close();
    for (const stop of this.#listening.splice(0)) stop();
  }

  problems(): string[] {
    return overdueProblems(this.#timer);
  }

  get lastBlockWallTime(): number {
    return this.#lastBlockWallTime;
  }

  get state(): ControlState {
    const { clock, miner } = this.#options.ledger;
    return { ...miner.mining, timing: clock.timing, gasLimit: miner.gasLimit };
  }

  /** Follows the settings of the ledger, which were restored. */
  noteRestored(): void {
    this.#save();
    this.#followMining();
  }

  startMining(): void {
    this.#setMining(started(this.#mining));
  }

  stopMining(): void {
    this.#setMining(stopped(this.#mining));
  }

  setAutomine(isOn: boolean): void {
    this.#setMining(automined(this.#mining, isOn, this.#mixes));
  }

  setInterval(interval: BlockInterval | undefined): void {
    this.#setMining(timed(this.#mining, interval, this.#mixes));
  }

  setBlockTimes(times: Partial<Pick<BlockTiming, 'nextTimestamp' | 'timestampInterval'>>): void {
    const { ledger } = this.#options;
    ledger.clock.setTiming({ ...ledger.clock.timing, ...times });
    this.#save();
  }

  removeTimestampInterval(): boolean {
    const { clock, blocks } = this.#options.ledger;
    if (clock.timing.timestampInterval === undefined) return false;
    clock.setTiming({ ...clock.timing, timestampInterval: undefined });
    // The next block must not repeat the time that the interval left behind.
    clock.keepUp(Math.min(blocks.head().header.timestamp + 1, CLOCK_TIME_MAX));
    this.#save();
    return true;
  }

  setTime(time: number): void {
    this.#options.ledger.clock.setTime(time);
    this.#save();
  }

  increaseTime(seconds: number): number {
    const ahead = this.#options.ledger.clock.increaseTime(seconds);
    this.#save();
    return ahead;
  }

  setGasLimit(gasLimit: bigint | undefined): void {
    this.#reportedGasLimit = undefined;
    const { chain, parameters, miner } = this.#options.ledger;
    const isStated = parameters.rules.headersStateSettings;
    if (isStated) chain.patch(() => ({ type: 'gasLimit', gasLimit: gasLimit ?? AMOUNT_MAX }));
    miner.setGasLimit(isStated ? undefined : gasLimit);
    this.#save();
  }

  mine(order: BlockOrder): void | Promise<void> {
    return this.#series.make(order);
  }

  setLogging(isOn: boolean): void {
    this.#options.setLogging(isOn);
  }

  #reportGas(transaction: SignedTransaction): void {
    const { miner, prices } = this.#options.ledger;
    const { gasLimit = prices.settings().gasLimit } = miner;
    if (gasLimit === this.#reportedGasLimit) return;
    const offered = gasOffered(transaction);
    if (offered <= gasLimit) return;
    this.#reportedGasLimit = gasLimit;
    this.#options.onTooMuchGas?.(offered, gasLimit);
  }

  get #mixes(): boolean {
    return this.#options.mixesMining === true;
  }

  get #mining(): Mining {
    return this.#options.ledger.miner.mining;
  }

  get #intervalMs(): number {
    return intervalMsOf(this.#mining);
  }

  /** Sets the mining. With automine pending transactions get their blocks at once. */
  #setMining(mining: Mining): void {
    if (mining === this.#mining) return;
    try {
      this.#options.ledger.miner.setMining(mining);
    } finally {
      this.#followMining();
    }
  }

  /** Starts the timer again after a change of the mining. */
  #followMining(): void {
    const mining = this.#mining;
    if (mining === this.#timed) return;
    this.#timed = mining;
    this.#timer?.stop();
    this.#timer = hasInterval(mining.mode) ? this.#startTimer(mining, intervalMsOf(mining)) : undefined;
  }

  /** @param firstMs milliseconds until the first block; absent: the rest of the interval since the newest one */
  #startTimer(mining: Mining, firstMs?: number): BlockTimer {
    const { ledger, time, fork, onFailure } = this.#options;
    return startBlockTimer({
      ledger,
      mine: () => withEntries(fork, () => this.#pipeline.mine()),
      time,
      intervalMs: intervalMsOf(mining),
      shortestMs: mining.interval?.shortestMs,
      firstMs,
      mayProduce: () => ledger.miner.isMining(),
      onFailure: (error) => onFailure('block production', error),
    });
  }

  #save(): void {
    const { ledger, storage } = this.#options;
    storage?.save({ timing: ledger.clock.timing, gasLimit: ledger.miner.gasLimit });
  }
}

function intervalMsOf({ interval }: Mining): number {
  return interval?.longestMs ?? BLOCK_INTERVAL_SECONDS_DEFAULT * 1_000;
}

/**
 * Makes the blocks that calls request, in time slices. The first block of a call follows the first ones of earlier
 * calls. Series of the others run one after the other, so that many of them delay other requests no more than one.
 */
class BlockSeries {
  readonly #options: Pick<TestChainControlOptions, 'ledger' | 'backoff' | 'fork'>;
  readonly #pipeline: Pick<BlockPipeline, 'mineAll'>;
  readonly #firsts = new OneByOne();
  readonly #rests = new OneByOne();
  #isClosed = false;

  constructor(
    options: Pick<TestChainControlOptions, 'ledger' | 'backoff' | 'fork'>,
    pipeline: Pick<BlockPipeline, 'mineAll'>,
  ) {
    this.#options = options;
    this.#pipeline = pipeline;
  }

  /** Implements `ChainControl.mine`. */
  make({ count, timestamp, lead = 0, step = 0 }: BlockOrder): void | Promise<void> {
    const { ledger } = this.#options;
    if (count === 0) return;
    const earliest = Math.max(timestamp ?? 0, ledger.blocks.head().header.timestamp);
    const first = lead > 0 ? Math.max(earliest, ledger.clock.now() + lead) : earliest;
    const time = first + step * (count - 1);
    if (lead + step > 0 && time > CLOCK_TIME_MAX) {
      throw new RefusedError({ code: 'timeOutOfRange', time, latest: CLOCK_TIME_MAX });
    }
    const made = this.#firsts.run(() => this.#makeFirst(timestamp, lead));
    const makeRest = (): void | Promise<void> => {
      if (count > 1) return this.#makeRest(count - 1, step === 0 ? undefined : step);
    };
    return made instanceof Promise ? made.then(makeRest) : makeRest();
  }

  /** Stops every series before its next slice. */
  close(): void {
    this.#isClosed = true;
  }

  /** Makes a block some seconds later. A failure restores the time. */
  #makeFirst(timestamp: number | undefined, lead: number): unknown {
    const { ledger, fork } = this.#options;
    const { timing } = ledger.clock;
    const fail = (error: unknown): never => {
      ledger.clock.setTiming(timing);
      throw error;
    };
    try {
      if (lead > 0) ledger.clock.increaseTime(lead);
      const made = withEntries(fork, () => this.#pipeline.mineAll(timestamp));
      return made instanceof Promise ? made.catch(fail) : made;
    } catch (error) {
      return fail(error);
    }
  }

  #makeRest(count: number, step: number | undefined): void | Promise<void> {
    const { ledger } = this.#options;
    const { reorgCount } = ledger.history;
    let left = count;
    const makeUntil = (until: number): boolean => {
      if (this.#isClosed) throw new RefusedError({ code: 'writesPaused', reason: 'the node stops' });
      if (ledger.history.reorgCount !== reorgCount) {
        throw new RefusedError({ code: 'writesPaused', reason: 'the chain was reverted meanwhile' });
      }
      left -= ledger.miner.mineSeveral(left, until, step);
      return left > 0;
    };
    const making = function* (): Generator<void, void, number> {
      while (makeUntil(yield));
    };
    const { backoff, fork } = this.#options;
    return this.#rests.run(() => withEntries(fork, () => backoff.run(making())));
  }
}

/** Runs actions one after the other, synchronously while none is running. */
class OneByOne {
  /** Settled with the last action. */
  #last: Promise<unknown> | undefined;

  run<T>(action: () => T | Promise<T>): T | Promise<T> {
    const result = this.#last === undefined ? action() : this.#last.then(action);
    if (!(result instanceof Promise)) return result;
    const last = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#last === last) this.#last = undefined;
      });
    this.#last = last;
    return result;
  }
}
