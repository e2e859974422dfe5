import type { Writable } from 'node:stream';
import { TURN_WRITE_BYTES_MAX, WRITTEN_TOGETHER_BYTES } from '../limits.ts';
import { LoopShare, type LoopTask } from '../scheduling/index.ts';
import type { Connection } from './connections.ts';

/** Where a long answer goes. */
export interface AnswerSink {
  readonly connection: Pick<Connection, 'client' | 'isGone'> & { ungivenBytes: number };
  /** Writes some pieces, and calls back when the system has taken them, or with an error where it never will. */
  write(pieces: readonly Buffer[], taken: (error?: Error | null) => void): void;
  /** All is taken. */
  end(): void;
}

/**
 * Has long answers written a part at a time, a few of them in a turn of the event loop. The system takes what is
 * written as fast as memory is copied, so that nothing else stops a client that asks for the next one.
 *
 * Clients take turns, and so do the answers of each. One goes on when the system has taken the part before.
 */
export class LongAnswers {
  readonly #share = new LoopShare(TURN_WRITE_BYTES_MAX);

  /** Begins to write an answer, in this turn of the event loop or in a later one. */
  write(pieces: readonly Buffer[], sink: AnswerSink): void {
    const { connection } = sink;
    /** The next piece last. */
    const rest = pieces.toReversed();
    connection.ungivenBytes = bytesOf(pieces);
    const writePart = (): void => {
      if (connection.isGone()) return;
      const part = partOf(rest);
      const bytes = bytesOf(part);
      this.#share.spend(bytes);
      connection.ungivenBytes -= bytes;
      sink.write(part, (error) => {
        // The connection closes, and nothing is left to do.
        if (error) return;
        if (rest.length === 0) sink.end();
        else this.#add(task);
      });
    };
    const task: LoopTask = { client: connection.client, runSlice: writePart };
    this.#add(task);
  }

  #add(task: LoopTask): void {
    this.#share.wait(task);
    this.#share.run();
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

function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
