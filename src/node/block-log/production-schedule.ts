import { attemptSeconds, type BlockWork, type NextBlockOptions } from '../../ledger/index.ts';
import { BLOCK_AHEAD_SECONDS_MAX } from '../clock-watch.ts';
import { BLOCK_LOG_RETRY_MS, type ClusterNode } from './block-log.ts';

/** Milliseconds after an absent producer's slot at which another makes its block: half an interval, in this range. */
const SLOT_GRACE_MS_MIN = 250;
const SLOT_GRACE_MS_MAX = 2_000;

/**
 * Makes a block when a producer of this node is scheduled: the producer of the number when an interval has passed since
 * the newest block arrived, and each next one an interval and some grace later. Only this node's clock counts. If two
 * nodes make a block of one number, the log decides.
 */
export class ProductionSchedule {
  readonly #node: ClusterNode;
  readonly #mayProduce: () => boolean;
  readonly #append: (next: NextBlockOptions) => Promise<boolean>;
  readonly #graceMs: number;
  /** Arrival of the newest block, from which due times count. */
  #since = 0;
  /** The earliest moment of the next attempt, after a failure. */
  #notBefore = 0;
  #isMaking = false;
  #isStopped = false;
  #cancelTimer: (() => void) | undefined;
  #stopListening: readonly (() => void)[] = [];

  /** @param append makes a block and has the log order it; resolves to true if it was added, and never rejects */
  constructor(
    node: ClusterNode,
    mayProduce: () => boolean,
    append: (next: NextBlockOptions) => Promise<boolean>,
  ) {
    this.#node = node;
    this.#mayProduce = mayProduce;
    this.#append = append;
    this.#graceMs = Math.min(Math.max(node.intervalMs / 2, SLOT_GRACE_MS_MIN), SLOT_GRACE_MS_MAX);
  }

  start(): void {
    const { ledger, time } = this.#node;
    // The machine's clock may have been set back meanwhile, or the chain's may run ahead of it.
    this.#since = time.now() - Math.max(0, time.wallNow() - ledger.blocks.head().header.timestamp * 1_000);
    const restart = (inFlightMs: number): void => {
      this.#since = Math.max(this.#since, time.now() - inFlightMs);
      this.#arm();
    };
    this.#stopListening = [
      ledger.chain.onBlock((_block, work) => restart(this.#inFlightMs(work))),
      ledger.history.onReorg(() => restart(0)),
    ];
    this.#arm();
  }

  /**
   * Restarts the schedule once this node has all blocks of the log. The first producer may make an overdue block at
   * once; the next ones leave it an interval for that.
   */
  resume(): void {
    const { time, intervalMs } = this.#node;
    this.#since = Math.max(this.#since, time.now() - intervalMs);
    this.#arm();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    for (const stop of this.#stopListening) stop();
  }

  /**
   * Returns the milliseconds that a new block was in flight. Making it is a part of the interval, and takes another
   * node as long as importing it takes this one.
   */
  #inFlightMs({ applyMilliseconds }: BlockWork): number {
    const times = this.#isMaking ? 1 : 2;
    return Math.min(times * applyMilliseconds, this.#node.intervalMs);
  }

  #arm(leastMs = 0): void {
    this.#cancelTimer?.();
    if (this.#isStopped || this.#isMaking) return;
    const { time } = this.#node;
    const delayMs = this.#untilNext();
    if (delayMs === undefined) return;
    const pauseMs = this.#notBefore - time.now();
    this.#cancelTimer = time.after(Math.max(delayMs, leastMs, pauseMs), () => void this.#produce());
  }

  #untilNext(): number | undefined {
    const { ledger, time } = this.#node;
    if (ledger.miner.keys.signedBefore().kind === 'next') return 0;
    const [first] = ledger.miner.keys.nextAttempts();
    return first === undefined ? undefined : Math.max(0, this.#since + this.#dueMs(first) - time.now());
  }

  #dueMs(attempt: number): number {
    return (attempt + 1) * this.#node.intervalMs + (attempt === 0 ? 0 : this.#graceMs);
  }

  async #produce(): Promise<void> {
    // Timers may call back a little early.
    if ((this.#untilNext() ?? 0) > 0) {
      this.#arm(1);
      return;
    }
    const next = this.#mayProduce() ? this.#dueBlock() : undefined;
    if (next === undefined) {
      this.#arm(BLOCK_LOG_RETRY_MS);
      return;
    }
    this.#isMaking = true;
    const isAdded = await this.#append(next);
    this.#isMaking = false;
    if (!isAdded) this.#notBefore = this.#node.time.now() + BLOCK_LOG_RETRY_MS;
    this.#arm();
  }

  #dueBlock(): NextBlockOptions | undefined {
    const { ledger, time } = this.#node;
    // A signed block is appended unchanged.
    if (ledger.miner.keys.signedBefore().kind === 'next') return {};
    for (const attempt of ledger.miner.keys.nextAttempts()) {
      if (time.now() < this.#since + this.#dueMs(attempt)) return undefined;
      if (ledger.miner.keys.signedBefore(attempt).kind === 'missing') continue;
      const next = this.#timed(attempt);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /**
   * Returns an attempt with its time; undefined while it is too early. If this machine's clock is behind the newest
   * block, the time since the arrival of that block counts.
   */
  #timed(attempt: number): NextBlockOptions | undefined {
    const { ledger, time } = this.#node;
    const { timestamp } = ledger.blocks.head().header;
    const least = timestamp + attemptSeconds(ledger.parameters.genesis, attempt);
    const now = ledger.clock.now();
    if (attempt === 0 || now >= least) return { attempt };
    const passed = timestamp + Math.floor((time.now() - this.#since) / 1_000);
    const isTime = passed >= least && least - now <= BLOCK_AHEAD_SECONDS_MAX;
    return isTime ? { attempt, timestamp: least } : undefined;
  }
}
