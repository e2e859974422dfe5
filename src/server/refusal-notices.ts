import { REFUSAL_NOTICE_MS } from '../limits.ts';
import type { RefusalReason } from './metrics/metrics.ts';

/** A notice of a refused request. */
export interface RefusalNotice {
  /** What was refused and what would allow it. */
  readonly message: string;
  /** Refusals for the same reason since the last one that was told. */
  readonly others: number;
}

/** A refusal, as far as a notice names it. */
interface Refusal {
  readonly reason: RefusalReason;
  readonly error: { readonly message: string };
}

/**
 * Tells of refused requests, for each reason at most once in a while: whoever sends many must not fill the node's log.
 */
export class RefusalNotices {
  readonly #tell: (notice: RefusalNotice) => void;
  readonly #now: () => number;
  readonly #told = new Map<RefusalReason, { readonly at: number; others: number }>();

  /** @param now the time in milliseconds, from wherever */
  constructor(tell: (notice: RefusalNotice) => void, now: () => number) {
    this.#tell = tell;
    this.#now = now;
  }

  note({ reason, error }: Refusal): void {
    const at = this.#now();
    const before = this.#told.get(reason);
    if (before !== undefined && at - before.at < REFUSAL_NOTICE_MS) {
      before.others += 1;
      return;
    }
    this.#told.set(reason, { at, others: 0 });
    this.#tell({ message: error.message, others: before?.others ?? 0 });
  }
}
