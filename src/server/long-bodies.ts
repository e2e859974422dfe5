import { BODY_PIECE_COST_BYTES, GATHERED_PIECE_BYTES, TURN_READ_BYTES_MAX } from '../limits.ts';

/** What a body is read from: a request. */
export interface BodySource {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Has long bodies read a few pieces at a time, and goes on with the next turn of the event loop: what many clients have
 * sent, perhaps while the node was at work, would hold up whoever asks for little if all of it was read at once.
 *
 * What goes on in a turn brings at least what the system gives in one piece, and cannot be stopped within that: so a
 * body is expected to cost as much as the last time, and goes on alone if that fills a turn, as it does where every
 * byte is a chunk of its own.
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
  #turn = 0;
  #isScheduled = false;

  /** A body turns out to be long, or to be of many pieces. It has to be closed. */
  open(source: BodySource, client: string): OpenBody {
    const bodies = this.#clients.get(client) ?? new Set();
    this.#clients.set(client, bodies);
    const body = new OpenBody(source, {
      mayGoOn: (bytes) => this.#mayGoOn(bytes),
      turn: () => this.#turn,
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
    this.#turn += 1;
    let room = TURN_READ_BYTES_MAX;
    while (room > 0 && this.#waiting > 0) {
      const next = this.#next();
      if (next === undefined) break;
      const { client, bodies, body } = next;
      // One at least, whatever it may cost. It is the first of the next turn otherwise.
      if (body.cost > room && room < TURN_READ_BYTES_MAX) break;
      room -= body.cost;
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
  /** Which turn of the event loop this is, of those in which long bodies are read. */
  turn(): number;
}

/** A long body that is being read. */
export class OpenBody {
  readonly #source: BodySource;
  readonly #watcher: BodyWatcher;
  #isWaiting = false;
  /** In how many pieces it came in the last turn of the event loop in which any of it came, and which turn that was. */
  #pieces = 0;
  #turn = 0;

  /** Made by `LongBodies`. */
  constructor(source: BodySource, watcher: BodyWatcher) {
    this.#source = source;
    this.#watcher = watcher;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** What reading it may cost when it goes on: what the system gives at once, in as many pieces as the last time. */
  get cost(): number {
    return Math.max(GATHERED_PIECE_BYTES, BODY_PIECE_COST_BYTES * this.#pieces);
  }

  /** Takes note of a piece that has come; the body waits then if this turn has no room for more. */
  note(bytes: number): void {
    const turn = this.#watcher.turn();
    this.#pieces = this.#turn === turn ? this.#pieces + 1 : 1;
    this.#turn = turn;
    if (this.#watcher.mayGoOn(bytes) || this.#isWaiting) return;
    this.#source.pause();
    this.#isWaiting = true;
    this.#watcher.onWait(1);
  }

  /** It waits no longer. */
  goOn(): void {
    this.#endWait();
    this.#source.resume();
  }

  /** It is read, or given up. */
  close(): void {
    this.#endWait();
    this.#watcher.onClose();
  }

  #endWait(): void {
    if (this.#isWaiting) this.#watcher.onWait(-1);
    this.#isWaiting = false;
  }
}

/** What reading a piece costs, in bytes: a small one costs more than its own. */
export function costOf(bytes: number): number {
  return bytes + BODY_PIECE_COST_BYTES;
}
