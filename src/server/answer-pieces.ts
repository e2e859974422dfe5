import { TRACE_PIECE_BYTES, TRACE_PIECES_AHEAD_MAX } from '../limits.ts';
import type { Connection, Connections } from './connections.ts';

/** Writes a piece, and calls back when the system has taken it, or with an error where it never will. */
export type WritePiece = (piece: Buffer, taken: (error?: Error | null) => void) => void;

/**
 * Gives the rest of a response to its client piece by piece, the next one when the one before is taken.
 *
 * @returns whether all of it was given; else the connection has to be closed, since what was given is no response: the
 *   response failed on its way, which its dispatcher has told of, or the client is gone
 */
export async function givePieces(
  rest: AsyncIterable<Buffer>,
  { connections, connection }: { readonly connections: Connections; readonly connection: Connection },
  write: WritePiece,
): Promise<boolean> {
  connections.answer(connection, TRACE_PIECE_BYTES * TRACE_PIECES_AHEAD_MAX);
  try {
    for await (const piece of rest) {
      const taken = new Promise<void>((resolve, reject) => {
        write(piece, (error) => (error ? reject(error) : resolve()));
      });
      connections.proceed(connection);
      await taken;
    }
    return true;
  } catch {
    return false;
  }
}
