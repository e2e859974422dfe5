import type { Socket } from 'node:net';
import { LINGERING_BYTES_MAX, LINGERING_MS } from '../limits.ts';

/**
 * Ends a connection after all that was written to it, and has its client get all of that: what it still sends is read
 * and thrown away for a while. Were the connection closed at once, the system would answer that by a reset, and take
 * back what the client has not taken yet (RFC 9112, 9.6).
 */
export function endLingering(socket: Socket): void {
  let room = LINGERING_BYTES_MAX;
  const waitForClient = (): void => {
    const timer = setTimeout(() => socket.destroy(), LINGERING_MS);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  };
  socket.on('data', (bytes: Buffer) => {
    room -= bytes.length;
    if (room < 0) socket.destroy();
  });
  if (socket.writableFinished) waitForClient();
  else socket.once('finish', waitForClient);
  socket.end();
  socket.resume();
}
