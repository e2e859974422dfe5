import { type Ledger, RefusedError } from '../ledger/index.ts';
import { OVERDUE_INTERVALS_MAX, OVERDUE_MS_MIN } from '../limits.ts';
import type { Time } from '../time.ts';

/** At which times which ledger makes its blocks. */
export interface BlockTimerOptions {
  readonly ledger: Pick<Ledger, 'head' | 'onBlock' | 'onForgotten'>;
  readonly time: Time;
  /** Milliseconds from one block to the next. */
  readonly intervalMs: number;
  /** Between these and `intervalMs` each interval is drawn anew; absent: all are `intervalMs`. */
  readonly shortestMs?: number | undefined;
  /** What intervals are drawn by: numbers from 0 up to 1. Absent: chance. */
  readonly draw?: (() => number) | undefined;
  /** Milliseconds to the first block; absent: what is left of the interval since the head. */
  readonly firstMs?: number | undefined;
  /** Makes a block, or begins to. */
  mine(): unknown;
  /** Whether a block may be made at this moment. */
  mayProduce(): boolean;
  /** Told when a block could not be made; it is tried again after the interval. */
  onFailure(error: unknown): void;
}

/** Makes a block whenever the interval has passed since the last one, whoever made that. */
export interface BlockTimer {
  /** The most milliseconds from one block to the next. */
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
  const { ledger, time, intervalMs, shortestMs = intervalMs, mayProduce, onFailure } = options;
  const draw = options.draw ?? Math.random;
  const drawMs = (): number => shortestMs + draw() * (intervalMs - shortestMs);
  let callOff: (() => void) | undefined;
  // The moment from which the interval counts.
  let since = time.now();
  let isMaking = false;
  let isStopped = false;

  const arm = (delay: number): void => {
    callOff?.();
    callOff = time.after(delay, produce);
  };
  const produce = (): void => {
    arm(drawMs());
    if (isMaking) return;
    if (!mayProduce()) {
      // What was not allowed is not late.
      since = time.now();
      return;
    }
    const began = time.now();
    try {
      const made = options.mine();
      if (made instanceof Promise) takeLong(made, began);
    } catch (error) {
      onFailure(error);
    }
  };
  /** The time that a block takes to be made is a part of the interval. */
  const takeLong = (made: Promise<unknown>, began: number): void => {
    isMaking = true;
    made
      // What was given up since the node stops or pauses is no failure.
      .catch((error: unknown) => error instanceof RefusedError || onFailure(error))
      .finally(() => {
        isMaking = false;
        if (!isStopped) arm(Math.max(0, began + drawMs() - time.now()));
      });
  };
  const beginAnew = (): void => {
    since = time.now();
    arm(drawMs());
  };
  const stopListening = [ledger.onBlock(beginAnew), ledger.onForgotten(beginAnew)];

  // The machine's clock may have been set back meanwhile, or the chain's may run ahead of it.
  const age = Math.max(0, time.wallNow() - ledger.head().header.timestamp * 1_000);
  arm(options.firstMs ?? Math.max(0, intervalMs - age));
  return {
    intervalMs,
    overdueMs: () => (mayProduce() ? Math.max(0, time.now() - since - intervalMs) : 0),
    stop: () => {
      isStopped = true;
      for (const stop of stopListening) stop();
      callOff?.();
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
