import { type Ledger, RefusedError } from '../ledger/index.ts';
import type { Time } from '../time/time.ts';

/** Health fails when the next block is overdue by this many intervals, and by this many milliseconds. */
const OVERDUE_INTERVALS_MAX = 3;
const OVERDUE_MS_MIN = 10_000;

export interface BlockTimerOptions {
  readonly ledger: {
    readonly blocks: Pick<Ledger['blocks'], 'head'>;
    readonly chain: Pick<Ledger['chain'], 'onBlock'>;
    readonly history: Pick<Ledger['history'], 'onReorg'>;
  };
  readonly time: Time;
  readonly intervalMs: number;
  /** The shortest interval, if intervals are random up to `intervalMs`; absent: all are `intervalMs`. */
  readonly shortestMs?: number | undefined;
  /** Returns numbers from 0 up to 1; absent: random ones. */
  readonly draw?: (() => number) | undefined;
  /** Milliseconds until the first block; absent: the rest of the interval since the head. */
  readonly firstMs?: number | undefined;
  mine(): unknown;
  mayProduce(): boolean;
  onFailure(error: unknown): void;
}

/** A timer that makes a block when the interval since the newest block of any node has passed. */
export type BlockTimer = ReturnType<typeof startBlockTimer>;

/**
 * Starts making blocks. The next one is due an interval after the head, also if the head is from before the start; a
 * late start makes one block, not several.
 */
export function startBlockTimer(options: BlockTimerOptions) {
  const { ledger, time, intervalMs, shortestMs = intervalMs, mayProduce, onFailure } = options;
  const draw = options.draw ?? Math.random;
  const drawMs = (): number => shortestMs + draw() * (intervalMs - shortestMs);
  let cancel: (() => void) | undefined;
  // The moment from which the interval counts.
  let since = time.now();
  let isMaking = false;
  let isStopped = false;

  const arm = (delay: number): void => {
    cancel?.();
    cancel = time.after(delay, produce);
  };
  const produce = (): void => {
    arm(drawMs());
    if (isMaking) return;
    if (!mayProduce()) {
      // A block that may not be made is not late.
      since = time.now();
      return;
    }
    const began = time.now();
    try {
      const made = options.mine();
      if (made instanceof Promise) awaitBlock(made, began);
    } catch (error) {
      onFailure(error);
    }
  };
  /** Counts the time of making a block as a part of the interval. */
  const awaitBlock = (made: Promise<unknown>, began: number): void => {
    isMaking = true;
    made
      // A block that was discarded at a stop or pause is no failure.
      .catch((error: unknown) => error instanceof RefusedError || onFailure(error))
      .finally(() => {
        isMaking = false;
        if (!isStopped) arm(Math.max(0, began + drawMs() - time.now()));
      });
  };
  const restart = (): void => {
    since = time.now();
    arm(drawMs());
  };
  const stopListening = [ledger.chain.onBlock(restart), ledger.history.onReorg(restart)];

  // The machine's clock may have been set back meanwhile, or the chain's may run ahead of it.
  const age = Math.max(0, time.wallNow() - ledger.blocks.head().header.timestamp * 1_000);
  arm(options.firstMs ?? Math.max(0, intervalMs - age));
  return {
    intervalMs,
    /** Milliseconds by which the next block is late, while it may be made; else 0. */
    overdueMs: () => (mayProduce() ? Math.max(0, time.now() - since - intervalMs) : 0),
    stop: (): void => {
      isStopped = true;
      for (const stop of stopListening) stop();
      cancel?.();
    },
  };
}

/** Milliseconds after its time from which on a block is reported as overdue. */
export function overdueMsMax(intervalMs: number): number {
  return Math.max(OVERDUE_INTERVALS_MAX * intervalMs, OVERDUE_MS_MIN);
}

/** Describes a block that is overdue although it may be made. */
export function overdueProblems(timer: Pick<BlockTimer, 'intervalMs' | 'overdueMs'> | undefined): string[] {
  if (timer === undefined) return [];
  const overdueMs = timer.overdueMs();
  if (overdueMs <= overdueMsMax(timer.intervalMs)) return [];
  return [`the next block should have been made ${Math.floor(overdueMs / 1_000)} s ago`];
}
