import type { Socket } from 'node:net';
import { LINGERING_BYTES_MAX, LINGERING_MS } from '../limits.ts';
import type { LoopTask } from '../scheduling/index.ts';
import { clientOf } from './host-names.ts';
import type { ParseTurns } from './parse-turns.ts';

/** Milliseconds without a byte after which a connection is closed whose last answer is written. */
const LINGERING_QUIET_MS = 1_000;

/**
 * Ends a connection after all that was written to it, and has its client get all of that: what it still sends is read
 * and thrown away, up to a bound. Were the connection closed at once, the system would answer that by a reset, and take
 * back what the client has not taken yet (RFC 9112, 9.6).
 *
 * @param turns in which it is read: a piece counts as a request, since it costs about as much
 */
export function endLingering(socket: Socket, turns: ParseTurns): void {
  const close = (): void => void socket.destroy();
  const end = setTimeout(close, LINGERING_MS).unref();
  let quiet: NodeJS.Timeout | undefined;
  let room = LINGERING_BYTES_MAX;
  const waitForQuiet = (): void => {
    clearTimeout(quiet);
    if (socket.writableFinished) quiet = setTimeout(close, LINGERING_QUIET_MS).unref();
  };
  const reading: LoopTask = {
    client: clientOf(socket.remoteAddress ?? ''),
    runSlice: () => {
      turns.parse(() => {
        socket.resume();
        waitForQuiet();
        return 1;
      });
    },
  };
  socket.on('data', (bytes: Buffer) => {
    // Nothing comes while it waits for its turn.
    clearTimeout(quiet);
    room -= bytes.length;
    if (room < 0) close();
    // Of one that sends as fast as it can, the system would give two megabytes in a turn.
    else turns.wait(reading);
    socket.pause();
  });
  if (socket.writableFinished) waitForQuiet();
  else socket.once('finish', waitForQuiet);
  socket.once('close', () => {
    clearTimeout(end);
    clearTimeout(quiet);
    turns.remove(reading);
  });
  socket.end();
  socket.resume();
}
