import { attemptSeconds, type BlockSummary, type BlockWork, RefusedError } from '../../ledger/index.ts';
import {
  BLOCK_AHEAD_SECONDS_MAX,
  BLOCK_LOG_RETRY_MS,
  SLOT_GRACE_MS_MAX,
  SLOT_GRACE_MS_MIN,
} from '../../limits.ts';
import type { ClusterNode } from './block-log-source.ts';

/** The attempt and the time of a block. */
export interface Turn {
  readonly attempt: number;
  /** Unix seconds; undefined: the clock's. */
  readonly timestamp: number | undefined;
}

/** The making of a block in a turn. */
interface TurnWork {
  mayProduce(): boolean;
  /** Makes a block and has the log order it; undefined where the log has another one. */
  append(turn: Turn): Promise<BlockSummary | undefined>;
  /** Called when a block could not be made or appended, unless it was discarded; it is retried. */
  onFailure(error: unknown): void;
}

/**
 * Makes blocks when this node is scheduled: the producer of the number when an interval has passed since the newest
 * block arrived, and each next one an interval and some grace later. It uses this node's clock alone; between blocks
 * that two nodes make at once the log decides.
 */
export class ProductionSchedule {
  readonly #node: ClusterNode;
  readonly #turnWork: TurnWork;
  readonly #graceMs: number;
  /** Moment of the newest block, from which turns count. */
  #since = 0;
  /** The earliest moment of the next attempt, after a failure. */
  #notBefore = 0;
  #isMaking = false;
  #isStopped = false;
  #callOff: (() => void) | undefined;
  #stopListening: readonly (() => void)[] = [];

  constructor(node: ClusterNode, turnWork: TurnWork) {
    this.#node = node;
    this.#turnWork = turnWork;
    this.#graceMs = Math.min(Math.max(node.intervalMs / 2, SLOT_GRACE_MS_MIN), SLOT_GRACE_MS_MAX);
  }

  start(): void {
    const { ledger, time } = this.#node;
    // The machine's clock may have been set back meanwhile, or the chain's may run ahead of it.
    this.#since = time.now() - Math.max(0, time.wallNow() - ledger.blocks.head().header.timestamp * 1_000);
    const beginAnew = (workMs: number): void => {
      this.#since = Math.max(this.#since, time.now() - workMs);
      this.#arm();
    };
    this.#stopListening = [
      ledger.chain.onBlock((_block, work) => beginAnew(this.#workMs(work))),
      ledger.history.onReorg(() => beginAnew(0)),
    ];
    this.#arm();
  }

  /**
   * Restarts turns once this node has what the log has. The first producer may make an overdue block at once; the next
   * ones leave it an interval for that.
   */
  resume(): void {
    const { time, intervalMs } = this.#node;
    this.#since = Math.max(this.#since, time.now() - intervalMs);
    this.#arm();
  }

  stop(): void {
    this.#isStopped = true;
    this.#callOff?.();
    for (const stop of this.#stopListening) stop();
  }

  /**
   * Milliseconds that a new block was in flight: making it is a part of the interval, and takes another node as long as
   * importing it takes this one.
   */
  #workMs({ applyMilliseconds }: BlockWork): number {
    const times = this.#isMaking ? 1 : 2;
    return Math.min(times * applyMilliseconds, this.#node.intervalMs);
  }

  #arm(leastMs = 0): void {
    this.#callOff?.();
    if (this.#isStopped || this.#isMaking) return;
    const { time } = this.#node;
    const waitMs = this.#untilNext();
    if (waitMs === undefined) return;
    const pauseMs = this.#notBefore - time.now();
    this.#callOff = time.after(Math.max(waitMs, leastMs, pauseMs), () => void this.#take());
  }

  #untilNext(): number | undefined {
    const { ledger, time } = this.#node;
    if (ledger.production.keys.signedBefore().kind === 'next') return 0;
    const [first] = ledger.production.keys.nextAttempts();
    return first === undefined ? undefined : Math.max(0, this.#since + this.#dueMs(first) - time.now());
  }

  #dueMs(attempt: number): number {
    return (attempt + 1) * this.#node.intervalMs + (attempt === 0 ? 0 : this.#graceMs);
  }

  async #take(): Promise<void> {
    const { mayProduce, append, onFailure } = this.#turnWork;
    // Timers may call back a little early.
    if ((this.#untilNext() ?? 0) > 0) {
      this.#arm(1);
      return;
    }
    const turn = mayProduce() ? this.#turn() : undefined;
    if (turn === undefined) {
      this.#arm(BLOCK_LOG_RETRY_MS);
      return;
    }
    this.#isMaking = true;
    let isAdded = false;
    try {
      isAdded = (await append(turn)) !== undefined;
    } catch (error) {
      if (!(error instanceof RefusedError)) onFailure(error);
    } finally {
      this.#isMaking = false;
    }
    if (!isAdded) this.#notBefore = this.#node.time.now() + BLOCK_LOG_RETRY_MS;
    this.#arm();
  }

  #turn(): Turn | undefined {
    const { ledger, time } = this.#node;
    // A signed block is appended unchanged.
    if (ledger.production.keys.signedBefore().kind === 'next') return { attempt: 0, timestamp: undefined };
    for (const attempt of ledger.production.keys.nextAttempts()) {
      if (time.now() < this.#since + this.#dueMs(attempt)) return undefined;
      if (ledger.production.keys.signedBefore(attempt).kind === 'missing') continue;
      const turn = this.#timed(attempt);
      if (turn !== undefined) return turn;
    }
    return undefined;
  }

  /**
   * Returns an attempt with its time; undefined while it is too early. Where this machine's clock is behind the newest
   * block, the time since the arrival of that block counts.
   */
  #timed(attempt: number): Turn | undefined {
    const { ledger, time } = this.#node;
    const { timestamp } = ledger.blocks.head().header;
    const least = timestamp + attemptSeconds(ledger.parameters.genesis, attempt);
    const now = ledger.clock.now();
    if (attempt === 0 || now >= least) return { attempt, timestamp: undefined };
    const passed = timestamp + Math.floor((time.now() - this.#since) / 1_000);
    const isTime = passed >= least && least - now <= BLOCK_AHEAD_SECONDS_MAX;
    return isTime ? { attempt, timestamp: least } : undefined;
  }
}
