import { CLOCK_TIME_MAX } from '../../consensus.ts';
import { type Ledger, RefusedError } from '../../ledger/index.ts';
import type { BlockOrder } from '../../rpc/index.ts';
import type { CpuBackoff } from '../../scheduling/index.ts';

export interface BlockSeriesOptions {
  readonly backoff: CpuBackoff;
  readonly ledger: Pick<Ledger, 'history' | 'blocks' | 'clock' | 'production'>;
}

/**
 * Makes the blocks that calls request. The first one of a call is made at once; the others in slices, one series after
 * the other, so that many series delay others no more than one.
 */
export class BlockSeries {
  readonly #options: BlockSeriesOptions;
  /** Settled with the last series. */
  #last: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(options: BlockSeriesOptions) {
    this.#options = options;
  }

  /** @throws what `ChainControl.mine` says */
  make({ count, timestamp, lead = 0, step = 0 }: BlockOrder): void | Promise<void> {
    const { ledger } = this.#options;
    if (count === 0) return;
    const earliest = Math.max(timestamp ?? 0, ledger.blocks.head().header.timestamp);
    const first = lead > 0 ? Math.max(earliest, ledger.clock.now() + lead) : earliest;
    const time = first + step * (count - 1);
    if (lead + step > 0 && time > CLOCK_TIME_MAX) {
      throw new RefusedError({ code: 'timeOutOfRange', time, latest: CLOCK_TIME_MAX });
    }
    this.#makeFirst(timestamp, lead);
    if (count > 1) return this.#makeRest(count - 1, step === 0 ? undefined : step);
  }

  /** Stops every series before its next slice. */
  close(): void {
    this.#isClosed = true;
  }

  /** Makes a block some seconds later; on failure the time is as before. */
  #makeFirst(timestamp: number | undefined, lead: number): void {
    const { ledger } = this.#options;
    const { timing } = ledger.clock;
    try {
      if (lead > 0) ledger.clock.increaseTime(lead);
      ledger.production.mine(timestamp);
    } catch (error) {
      ledger.clock.setTiming(timing);
      throw error;
    }
  }

  #makeRest(count: number, step: number | undefined): void | Promise<void> {
    const { ledger } = this.#options;
    const { epoch } = ledger.history;
    let left = count;
    const slice = (until: number): true | undefined => {
      if (this.#isClosed) throw new RefusedError({ code: 'writesPaused', reason: 'the node stops' });
      if (ledger.history.epoch !== epoch) {
        throw new RefusedError({ code: 'writesPaused', reason: 'the chain was taken back meanwhile' });
      }
      left -= ledger.production.mineSeveral(left, until, step);
      return left === 0 ? true : undefined;
    };
    const begin = (): true | Promise<true> => this.#options.backoff.runSliced<true>(slice);
    const made = this.#last === undefined ? begin() : this.#last.then(begin);
    if (!(made instanceof Promise)) return;
    const last = made
      .catch(() => undefined)
      .finally(() => {
        if (this.#last === last) this.#last = undefined;
      });
    this.#last = last;
    return made.then(() => undefined);
  }
}
