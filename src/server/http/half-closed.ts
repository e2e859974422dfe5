import type { Socket } from 'node:net';
import { HALF_CLOSED_ASK_MS } from '../../limits.ts';

/** An interim response, which clients pass over: RFC 9110, 15.2, and RFC 2518, 10.1. */
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n';

/**
 * Finds out whether a client that ended its side of a connection still waits for its answer: one that is gone cannot be
 * told from it until something is written. What is written is an interim response, and the system of one that is gone
 * resets the connection. Otherwise the node would go on working for nobody.
 *
 * @param awaitsAnswer whether the client waits, and no part of its answer is written yet
 */
export function askWhileHalfClosed(socket: Socket, awaitsAnswer: () => boolean): void {
  const timer = setInterval(() => {
    if (awaitsAnswer() && socket.writableLength === 0) socket.write(PROCESSING, 'latin1');
  }, HALF_CLOSED_ASK_MS);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
