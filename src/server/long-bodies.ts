import { BODY_PIECE_COST_BYTES, GATHERED_PIECE_BYTES, TURN_READ_BYTES_MAX } from '../limits.ts';
import { LoopShare, type LoopTask } from '../scheduling/index.ts';

/** What a body is read from; a little of it may come even when it is paused. */
export interface BodySource {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Has long bodies read a few pieces at a time, perhaps sent while the node was at work. Clients take turns. Of a
 * client's bodies the one that began first goes first, so that those that have begun are finished: read side by side,
 * many of them would come to no room for any.
 */
export class LongBodies {
  readonly #share = new LoopShare(TURN_READ_BYTES_MAX);
  #opened = 0;

  /** A body turns out to be long, or to be of many pieces. It has to be closed. */
  open(source: BodySource, client: string): OpenBody {
    this.#opened += 1;
    return new OpenBody(this.#share, source, client, this.#opened);
  }
}

/** A long body that is being read. */
export class OpenBody implements LoopTask {
  readonly client: string;
  readonly order: number;
  readonly #share: LoopShare;
  readonly #source: BodySource;
  #isWaiting = false;
  /** Cost that was spent for it in advance. */
  #granted = 0;

  /** Made by `LongBodies`. */
  constructor(share: LoopShare, source: BodySource, client: string, order: number) {
    this.#share = share;
    this.#source = source;
    this.client = client;
    this.order = order;
  }

  /** Takes note of a piece that has come; the body waits then if this turn has no room for more. */
  note(bytes: number): void {
    const cost = costOf(bytes);
    this.#share.spend(Math.max(0, cost - this.#granted));
    this.#granted = Math.max(0, this.#granted - cost);
    if (this.#share.hasRoom || this.#isWaiting) return;
    this.#source.pause();
    this.#isWaiting = true;
    this.#share.wait(this);
  }

  /** Reads on: it brings at least what the system gives at a time, unless that is paused within it. */
  runSlice(): void {
    this.#granted = GATHERED_PIECE_BYTES;
    this.#share.spend(GATHERED_PIECE_BYTES);
    this.#resume();
  }

  /** It is read, or given up: what comes behind it need not wait. */
  close(): void {
    this.#share.remove(this);
    if (this.#isWaiting) this.#resume();
  }

  #resume(): void {
    this.#isWaiting = false;
    this.#source.resume();
  }
}

/** What reading a piece costs, in bytes: a small one costs more than its own. */
export function costOf(bytes: number): number {
  return bytes + BODY_PIECE_COST_BYTES;
}
