import type { Socket } from 'node:net';
import { LINGERING_BYTES_MAX, LINGERING_MS, LINGERING_QUIET_MS } from '../limits.ts';

/**
 * Ends a connection after all that was written to it, and has its client get all of that: what it still sends is read
 * and thrown away, up to a bound. Were the connection closed at once, the system would answer that by a reset, and take
 * back what the client has not taken yet (RFC 9112, 9.6).
 */
export function endLingering(socket: Socket): void {
  const close = (): void => void socket.destroy();
  const end = setTimeout(close, LINGERING_MS).unref();
  let quiet: NodeJS.Timeout | undefined;
  let room = LINGERING_BYTES_MAX;
  const goOn = (): void => void socket.resume();
  socket.on('data', (bytes: Buffer) => {
    quiet?.refresh();
    room -= bytes.length;
    if (room < 0) close();
    // Of one that sends as fast as it can, the system would give two megabytes in a turn.
    else setImmediate(goOn).unref();
    socket.pause();
  });
  const waitForQuiet = (): void => {
    quiet = setTimeout(close, LINGERING_QUIET_MS).unref();
  };
  if (socket.writableFinished) waitForQuiet();
  else socket.once('finish', waitForQuiet);
  socket.once('close', () => {
    clearTimeout(end);
    clearTimeout(quiet);
  });
  socket.end();
  socket.resume();
}
