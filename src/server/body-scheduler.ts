import { LoopBudget, type LoopTask } from '../scheduling/index.ts';
import { COALESCED_CHUNK_BYTES } from './buffer-list.ts';

/** Bytes of long bodies read per iteration of the event loop (512 KiB), and the extra cost of each chunk in bytes. */
export const LOOP_READ_BYTES_MAX = 512 * 1024;
const BODY_CHUNK_COST_BYTES = 256;

/** The source of a body, which may still deliver a few bytes after a pause. */
export interface BodySource {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Schedules the reading of long bodies, a few chunks at a time, round-robin between clients. A client's first body has
 * precedence, so that it completes: many concurrent ones would exhaust the memory.
 */
export class BodyScheduler {
  readonly #budget = new LoopBudget(LOOP_READ_BYTES_MAX);
  #opened = 0;

  /** Opens a body that is long, or has many chunks. It must be closed. */
  open(source: BodySource, client: string): ScheduledBody {
    this.#opened += 1;
    return new ScheduledBody(this.#budget, source, client, this.#opened);
  }
}

/** A long body that is being read. */
export class ScheduledBody implements LoopTask {
  readonly client: string;
  readonly order: number;
  readonly #budget: LoopBudget;
  readonly #source: BodySource;
  #isWaiting = false;
  /** Cost that was counted in advance. */
  #granted = 0;

  constructor(budget: LoopBudget, source: BodySource, client: string, order: number) {
    this.#budget = budget;
    this.#source = source;
    this.client = client;
    this.order = order;
  }

  /** Counts a chunk, and pauses the body if the budget of this iteration is used up. */
  note(bytes: number): void {
    const cost = costOf(bytes);
    this.#budget.spend(Math.max(0, cost - this.#granted));
    this.#granted = Math.max(0, this.#granted - cost);
    if (this.#budget.hasRemaining || this.#isWaiting) return;
    this.#source.pause();
    this.#isWaiting = true;
    this.#budget.enqueue(this);
  }

  /** Continues to read. The system delivers at least one whole chunk, so its cost is counted in advance. */
  runSlice(): void {
    this.#granted = COALESCED_CHUNK_BYTES;
    this.#budget.spend(COALESCED_CHUNK_BYTES);
    this.#resume();
  }

  /** Ends the schedule of a read or aborted body, so that the bytes after it need not wait. */
  close(): void {
    this.#budget.remove(this);
    if (this.#isWaiting) this.#resume();
  }

  #resume(): void {
    this.#isWaiting = false;
    this.#source.resume();
  }
}

/** Returns the cost of reading a chunk, in bytes: its length, and a constant that bounds the number of small ones. */
export function costOf(bytes: number): number {
  return bytes + BODY_CHUNK_COST_BYTES;
}
