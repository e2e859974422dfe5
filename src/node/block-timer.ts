import type { Ledger } from '../ledger/index.ts';
import { OVERDUE_INTERVALS_MAX, OVERDUE_MS_MIN } from '../limits.ts';

/** What a block timer works with. */
export interface BlockTimerOptions {
  readonly ledger: Pick<Ledger, 'head' | 'mine' | 'onBlock'>;
  /** Milliseconds from one block to the next. */
  readonly intervalMs: number;
  /** Whether a block may be made at this moment. */
  mayProduce(): boolean;
  /** Told when a block could not be made; it is tried again after the interval. */
  onFailure(error: unknown): void;
}

/** Makes a block whenever the interval has passed since the last one, whoever made that. */
export interface BlockTimer {
  /** Milliseconds from one block to the next. */
  readonly intervalMs: number;
  /** Milliseconds that the next block is late, though it may be made; 0 when it is not. */
  overdueMs(): number;
  stop(): void;
}

/**
 * Starts making blocks. The next one is due at the end of an interval after the last; however late it is, there is
 * one. The time that passed between the head and the start counts as well.
 */
export function startBlockTimer(options: BlockTimerOptions): BlockTimer {
  const { ledger, intervalMs, mayProduce, onFailure } = options;
  let timer: NodeJS.Timeout;
  // The moment from which the interval counts.
  let since = performance.now();

  const arm = (delay: number): void => {
    clearTimeout(timer);
    timer = setTimeout(produce, delay);
  };
  const produce = (): void => {
    arm(intervalMs);
    if (!mayProduce()) {
      // What was not allowed is not late.
      since = performance.now();
      return;
    }
    try {
      ledger.mine();
    } catch (error) {
      onFailure(error);
    }
  };
  const forget = ledger.onBlock(() => {
    since = performance.now();
    arm(intervalMs);
  });

  // The machine's clock may have been set back meanwhile, or the chain's may run ahead of it.
  const age = Math.max(0, Date.now() - ledger.head().header.timestamp * 1_000);
  arm(Math.max(0, intervalMs - age));
  return {
    intervalMs,
    overdueMs: () => (mayProduce() ? Math.max(0, performance.now() - since - intervalMs) : 0),
    stop: () => {
      forget();
      clearTimeout(timer);
    },
  };
}

/** What an operator should look after: a block that is late for long, though it could have been made. */
export function overdueProblems(timer: Pick<BlockTimer, 'intervalMs' | 'overdueMs'> | undefined): string[] {
  if (timer === undefined) return [];
  const overdueMs = timer.overdueMs();
  if (overdueMs <= Math.max(OVERDUE_INTERVALS_MAX * timer.intervalMs, OVERDUE_MS_MIN)) return [];
  return [`the next block should have been made ${Math.floor(overdueMs / 1_000)} s ago`];
}
