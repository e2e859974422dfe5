import type { Writable } from 'node:stream';
import { TURN_WRITE_BYTES_MAX, WRITTEN_TOGETHER_BYTES } from '../limits.ts';
import type { Connection } from './connection.ts';

/** Where a long answer goes. */
export interface AnswerSink {
  readonly connection: Pick<Connection, 'client' | 'isGone'> & { ungivenBytes: number };
  /** Writes some pieces, and calls back when the system has taken them, or with an error where it never will. */
  write(pieces: readonly Buffer[], taken: (error?: Error | null) => void): void;
  /** All is taken. */
  end(): void;
}

/** An answer that is being written. */
interface Open {
  readonly sink: AnswerSink;
  /** What is to be written, the next piece last. */
  readonly rest: Buffer[];
}

/**
 * Has long answers written a part at a time, a few of them in a turn of the event loop: many of them, or one that is
 * very long, would hold up whoever asks for little. The system takes what is written as fast as memory is copied, so
 * that nothing else stops a client that asks for the next one.
 *
 * Clients take turns, and so do the answers of each. One goes on when the system has taken the part before.
 */
export class LongAnswers {
  /** Answers that can go on, by their clients; the client whose turn it is comes first. */
  readonly #clients = new Map<string, Open[]>();
  /** Bytes of long answers that were written in this turn of the event loop. */
  #written = 0;
  #isScheduled = false;

  /** Begins to write an answer, in this turn of the event loop or in a later one. */
  write(pieces: readonly Buffer[], sink: AnswerSink): void {
    sink.connection.ungivenBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.#add({ sink, rest: pieces.toReversed() });
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#written = 0;
    this.#writeTurn();
  };

  #add(answer: Open): void {
    const { client } = answer.sink.connection;
    const answers = this.#clients.get(client);
    if (answers === undefined) this.#clients.set(client, [answer]);
    else answers.push(answer);
    this.#writeTurn();
  }

  #writeTurn(): void {
    while (this.#written < TURN_WRITE_BYTES_MAX) {
      const answer = this.#next();
      if (answer === undefined) break;
      this.#writePart(answer);
    }
    if (this.#isScheduled || this.#written === 0) return;
    this.#isScheduled = true;
    setImmediate(this.#nextTurn);
  }

  #next(): Open | undefined {
    const [first] = this.#clients;
    if (first === undefined) return undefined;
    const [client, answers] = first;
    const next = answers.shift();
    this.#clients.delete(client);
    if (answers.length > 0) this.#clients.set(client, answers);
    return next;
  }

  #writePart(answer: Open): void {
    const { sink } = answer;
    const { connection } = sink;
    if (connection.isGone()) return;
    const part = partOf(answer.rest);
    const bytes = part.reduce((sum, piece) => sum + piece.length, 0);
    this.#written += bytes;
    connection.ungivenBytes -= bytes;
    sink.write(part, (error) => {
      // The connection closes, and nothing is left to do.
      if (error) return;
      if (answer.rest.length === 0) sink.end();
      else this.#add(answer);
    });
  }
}

/** Writes pieces in one go, and calls back when all are taken, or with an error where they never will be. */
export function writeTogether(
  to: Pick<Writable, 'cork' | 'uncork'> & {
    write(piece: Buffer, taken?: (error?: Error | null) => void): unknown;
  },
  pieces: readonly Buffer[],
  taken: (error?: Error | null) => void,
): void {
  to.cork();
  for (const piece of pieces.slice(0, -1)) to.write(piece);
  to.write(pieces.at(-1) ?? NOTHING, taken);
  to.uncork();
}

const NOTHING = Buffer.alloc(0);

/** Takes out as much as is written at a time. */
function partOf(rest: Buffer[]): Buffer[] {
  const part: Buffer[] = [];
  let room = WRITTEN_TOGETHER_BYTES;
  while (room > 0) {
    const piece = rest.pop();
    if (piece === undefined) break;
    part.push(piece.subarray(0, room));
    if (piece.length > room) rest.push(piece.subarray(room));
    room -= piece.length;
  }
  return part;
}
