import type { Socket } from 'node:net';
import { LINGERING_BYTES_MAX, LINGERING_MS } from '../limits.ts';
import type { LoopTask } from '../scheduling/index.ts';
import type { BodySource } from './body-scheduler.ts';
import type { Connection } from './connections.ts';
import type { ParseScheduler } from './parse-scheduler.ts';

/** Milliseconds without a byte after which a connection is closed whose last response is written. */
const LINGERING_QUIET_MS = 1_000;

/** Bytes that were consumed, from the beginning of those that were given, and requests that have come in them. */
export interface Consumed {
  readonly bytes: number;
  readonly requests: number;
}

/** Parser of the bytes of a connection, which would take long if it got all of them at once. */
export interface ByteConsumer {
  /** Consumes all bytes at once if that is quick; returns false if it has consumed nothing. */
  consumeQuickly?(bytes: Buffer): boolean;
  /** Consumes as many bytes, from the first one on, as are parsed at a time. */
  consume(bytes: Buffer): Consumed;
}

/** Gives the bytes of a connection to a consumer, a little at a time. The rest goes back to the socket. */
export class SocketReader implements LoopTask, BodySource {
  readonly client: string;
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #consumer: ByteConsumer;
  readonly #turns: ParseScheduler;
  #heldBytes = 0;
  /** True if no bytes are to be consumed now. */
  #isPaused = false;
  /** True if the socket is paused because it holds bytes that are to be consumed later. */
  #hasPutBack = false;
  #hasLeft = false;

  constructor(socket: Socket, connection: Connection, consumer: ByteConsumer, turns: ParseScheduler) {
    this.client = connection.client;
    this.#socket = socket;
    this.#connection = connection;
    this.#consumer = consumer;
    this.#turns = turns;
    socket.on('data', this.#onData).prependOnceListener('close', this.#onClose);
  }

  /** Consumes no more until `resume`. The socket continues to read until it has bytes, so that its end is noticed. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#hasPutBack) this.runSlice();
  }

  runSlice(): void {
    this.#socket.resume();
    // Else it would emit its bytes only after this turn.
    this.#socket.read();
  }

  /** Releases the socket to another reader. */
  leave(): void {
    this.#hasLeft = true;
    this.#turns.remove(this);
    this.#connection.budget.release('requests', this.#heldBytes);
    this.#socket.off('data', this.#onData).off('close', this.#onClose);
  }

  /**
   * Ends the connection after all that was written to it, and discards what its client still sends, up to a bound. A
   * connection that is closed at once is reset by the system, which takes back what the client has not read (RFC 9112,
   * 9.6). A piece is scheduled like a request, since it costs about as much.
   */
  endLingering(): void {
    this.leave();
    const socket = this.#socket;
    const close = (): void => void socket.destroy();
    const end = setTimeout(close, LINGERING_MS).unref();
    let quiet: NodeJS.Timeout | undefined;
    let room = LINGERING_BYTES_MAX;
    const waitForQuiet = (): void => {
      clearTimeout(quiet);
      if (socket.writableFinished) quiet = setTimeout(close, LINGERING_QUIET_MS).unref();
    };
    const readPiece = (): number => {
      socket.resume();
      waitForQuiet();
      return 1;
    };
    const reading: LoopTask = { client: this.client, runSlice: () => void this.#turns.parse(readPiece) };
    socket.on('data', (bytes: Buffer) => {
      // Nothing arrives while it is paused.
      clearTimeout(quiet);
      room -= bytes.length;
      if (room < 0) close();
      // From a fast sender the system would give two megabytes in a turn.
      else this.#turns.wait(reading);
      socket.pause();
    });
    if (socket.writableFinished) waitForQuiet();
    else socket.once('finish', waitForQuiet);
    socket.once('close', () => {
      clearTimeout(end);
      clearTimeout(quiet);
      this.#turns.remove(reading);
    });
    socket.end();
    socket.resume();
  }

  readonly #onData = (bytes: Buffer): void => {
    const socket = this.#socket;
    if (this.#heldBytes > 0) this.#connection.budget.release('requests', this.#heldBytes);
    this.#heldBytes = 0;
    this.#hasPutBack = false;
    // Bytes after the last response are not read.
    if (socket.destroyed || socket.writableEnded) return;
    if (this.#isPaused) this.#putBack(bytes);
    else if (this.#consumer.consumeQuickly?.(bytes) !== true) this.#consumeFirst(bytes);
  };

  #consumeFirst(bytes: Buffer): void {
    let rest = bytes;
    this.#turns.parse(() => {
      this.#turns.remove(this);
      const consumed = this.#consumer.consume(bytes);
      rest = bytes.subarray(consumed.bytes);
      return consumed.requests;
    });
    if (this.#hasLeft || rest.length === 0) return;
    this.#putBack(rest);
    if (!this.#isPaused) this.#turns.wait(this);
  }

  /** Discards the rest: another listener of the end would parse all of it at once. */
  readonly #onClose = (): void => {
    this.#turns.remove(this);
    this.#socket.off('data', this.#onData).read();
  };

  #putBack(bytes: Buffer): void {
    this.#hasPutBack = true;
    this.#socket.pause();
    this.#socket.unshift(bytes);
    this.#heldBytes = bytes.length;
    this.#connection.hold(bytes.length);
  }
}
