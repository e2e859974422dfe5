import { BODY_PIECE_COST_BYTES, GATHERED_PIECE_BYTES, TURN_READ_BYTES_MAX } from '../limits.ts';

/** What a body is read from; a little of it may come even when it is paused. */
export interface BodySource {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Has long bodies read a few pieces at a time, and goes on with the next turn of the event loop: what many clients have
 * sent, perhaps while the node was at work, would hold up whoever asks for little if all of it was read at once.
 *
 * Clients take turns. Of a client's bodies the one that began first goes first, so that those that have begun are
 * finished: read side by side, many of them would come to no room for any.
 */
export class LongBodies {
  /** Their bodies in the order in which they began; the client whose turn it is comes first. */
  readonly #clients = new Map<string, Set<OpenBody>>();
  /** Bytes of long bodies that were read in this turn of the event loop. */
  #read = 0;
  #waiting = 0;
  #isScheduled = false;

  /** A body turns out to be long, or to be of many pieces. It has to be closed. */
  open(source: BodySource, client: string): OpenBody {
    const bodies = this.#clients.get(client) ?? new Set();
    this.#clients.set(client, bodies);
    const body = new OpenBody(source, {
      mayGoOn: (bytes) => this.#mayGoOn(bytes),
      onWait: (change) => {
        this.#waiting += change;
      },
      onClose: () => {
        bodies.delete(body);
        if (bodies.size === 0 && this.#clients.get(client) === bodies) this.#clients.delete(client);
      },
    });
    bodies.add(body);
    return body;
  }

  #mayGoOn(bytes: number): boolean {
    this.#read += costOf(bytes);
    this.#schedule();
    return this.#read < TURN_READ_BYTES_MAX;
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#read = 0;
    // Each brings at least what the system gives at a time, unless that is paused within it.
    for (let room = TURN_READ_BYTES_MAX; room > 0 && this.#waiting > 0; room -= GATHERED_PIECE_BYTES) {
      const next = this.#next();
      if (next === undefined) break;
      const { client, bodies, body } = next;
      this.#clients.delete(client);
      this.#clients.set(client, bodies);
      body.goOn();
    }
    if (this.#waiting > 0) this.#schedule();
  };

  /** The body that goes on next, and whose it is; undefined where none waits. */
  #next(): { client: string; bodies: Set<OpenBody>; body: OpenBody } | undefined {
    for (const [client, bodies] of this.#clients) {
      for (const body of bodies) if (body.isWaiting) return { client, bodies, body };
    }
    return undefined;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#nextTurn);
  }
}

/** What a body tells of itself. */
interface BodyWatcher {
  /** Takes note of bytes; whether the turn has room for more. */
  mayGoOn(bytes: number): boolean;
  /** One more waits, or one less. */
  onWait(change: 1 | -1): void;
  onClose(): void;
}

/** A long body that is being read. */
export class OpenBody {
  readonly #source: BodySource;
  readonly #watcher: BodyWatcher;
  #isWaiting = false;

  /** Made by `LongBodies`. */
  constructor(source: BodySource, watcher: BodyWatcher) {
    this.#source = source;
    this.#watcher = watcher;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Takes note of a piece that has come; the body waits then if this turn has no room for more. */
  note(bytes: number): void {
    if (this.#watcher.mayGoOn(bytes) || this.#isWaiting) return;
    this.#source.pause();
    this.#isWaiting = true;
    this.#watcher.onWait(1);
  }

  /** It waits no longer. */
  goOn(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#watcher.onWait(-1);
    this.#source.resume();
  }

  /** It is read, or given up: what comes behind it need not wait. */
  close(): void {
    this.goOn();
    this.#watcher.onClose();
  }
}

/** What reading a piece costs, in bytes: a small one costs more than its own. */
export function costOf(bytes: number): number {
  return bytes + BODY_PIECE_COST_BYTES;
}
