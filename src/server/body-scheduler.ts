import { BODY_CHUNK_COST_BYTES, COALESCED_CHUNK_BYTES, LOOP_READ_BYTES_MAX } from '../limits.ts';
import { LoopBudget, type LoopTask } from '../scheduling/index.ts';

/** Source of a body; it may give a few more bytes after a pause. */
export interface BodySource {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Schedules the reading of long bodies, a few pieces at a time. Clients alternate. Of a client's bodies the first one
 * takes precedence, so that it is finished: many of them side by side would exhaust the memory for any.
 */
export class BodyScheduler {
  readonly #share = new LoopBudget(LOOP_READ_BYTES_MAX);
  #opened = 0;

  /** Opens a body that is long, or has many pieces. It has to be closed. */
  open(source: BodySource, client: string): ScheduledBody {
    this.#opened += 1;
    return new ScheduledBody(this.#share, source, client, this.#opened);
  }
}

/** A long body that is being read. */
export class ScheduledBody implements LoopTask {
  readonly client: string;
  readonly order: number;
  readonly #share: LoopBudget;
  readonly #source: BodySource;
  #isWaiting = false;
  /** Cost that was spent in advance. */
  #granted = 0;

  constructor(share: LoopBudget, source: BodySource, client: string, order: number) {
    this.#share = share;
    this.#source = source;
    this.client = client;
    this.order = order;
  }

  /** Counts a piece; the body waits then if this turn has no room for more. */
  note(bytes: number): void {
    const cost = costOf(bytes);
    this.#share.spend(Math.max(0, cost - this.#granted));
    this.#granted = Math.max(0, this.#granted - cost);
    if (this.#share.hasRoom || this.#isWaiting) return;
    this.#source.pause();
    this.#isWaiting = true;
    this.#share.wait(this);
  }

  /** Continues to read. The system gives a whole piece at least, unless it is paused within it. */
  runSlice(): void {
    this.#granted = COALESCED_CHUNK_BYTES;
    this.#share.spend(COALESCED_CHUNK_BYTES);
    this.#resume();
  }

  /** Ends the schedule of a read or aborted body: the bytes behind it need not wait. */
  close(): void {
    this.#share.remove(this);
    if (this.#isWaiting) this.#resume();
  }

  #resume(): void {
    this.#isWaiting = false;
    this.#source.resume();
  }
}

/** Returns the cost of reading a piece, in bytes: a small one costs more than its own. */
export function costOf(bytes: number): number {
  return bytes + BODY_CHUNK_COST_BYTES;
}
