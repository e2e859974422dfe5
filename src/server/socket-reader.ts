import type { Socket } from 'node:net';
import type { LoopTask } from '../scheduling/index.ts';
import type { BodySource } from './body-scheduler.ts';
import type { Connection } from './connections.ts';
import type { ParseScheduler } from './parse-scheduler.ts';

/** Milliseconds and bytes that a client may still send after a refusal, so that it can read the response. */
const LINGERING_MS = 30_000;
export const LINGERING_BYTES_MAX = 64 * 1024 * 1024;

/** Milliseconds without a byte after which a connection is closed that has sent its last response. */
const LINGERING_QUIET_MS = 1_000;

/** The number of consumed bytes, and of the requests that were complete with them. */
export interface Consumed {
  readonly bytes: number;
  readonly requests: number;
}

/** A parser of the bytes of a connection, which parses a bounded number at a time. */
export interface ByteConsumer {
  /** Consumes all bytes if that is quick; returns false if it has consumed none. */
  consumeQuickly?(bytes: Buffer): boolean;
  /** Consumes the first bytes, up to a bounded number. */
  consume(bytes: Buffer): Consumed;
}

/** Passes the bytes of a connection to a consumer, a few at a time. Returns the rest to the socket (`unshift`). */
export class SocketReader implements LoopTask, BodySource {
  readonly client: string;
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #consumer: ByteConsumer;
  readonly #scheduler: ParseScheduler;
  #heldBytes = 0;
  /** True while the consumer must not get bytes. */
  #isPaused = false;
  /** True if the socket is paused with unshifted bytes. */
  #hasUnshifted = false;
  #hasLeft = false;

  constructor(socket: Socket, connection: Connection, consumer: ByteConsumer, scheduler: ParseScheduler) {
    this.client = connection.client;
    this.#socket = socket;
    this.#connection = connection;
    this.#consumer = consumer;
    this.#scheduler = scheduler;
    socket.on('data', this.#onData).prependOnceListener('close', this.#onClose);
  }

  /** Stops consuming until `resume`. The socket reads until it has bytes, so that its end is noticed. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#hasUnshifted) this.runSlice();
  }

  runSlice(): void {
    this.#socket.resume();
    // Without this it would emit its bytes only after this iteration of the event loop.
    this.#socket.read();
  }

  /** Releases the socket to another reader. */
  leave(): void {
    this.#hasLeft = true;
    this.#scheduler.remove(this);
    this.#connection.budget.release('requests', this.#heldBytes);
    this.#socket.off('data', this.#onData).off('close', this.#onClose);
  }

  /**
   * Ends the connection after all written bytes, and discards received bytes up to a bound. The system would reset a
   * connection that is closed at once, so that the client loses unread bytes (RFC 9112, 9.6). A chunk is scheduled like
   * a request, since it costs about as much.
   */
  endLingering(): void {
    this.leave();
    const socket = this.#socket;
    const close = (): void => void socket.destroy();
    const end = setTimeout(close, LINGERING_MS).unref();
    let quiet: NodeJS.Timeout | undefined;
    let remaining = LINGERING_BYTES_MAX;
    const waitForQuiet = (): void => {
      clearTimeout(quiet);
      if (socket.writableFinished) quiet = setTimeout(close, LINGERING_QUIET_MS).unref();
    };
    const readChunk = (): number => {
      socket.resume();
      waitForQuiet();
      return 1;
    };
    const reading: LoopTask = { client: this.client, runSlice: () => void this.#scheduler.parse(readChunk) };
    socket.on('data', (bytes: Buffer) => {
      // Nothing arrives while it is paused.
      clearTimeout(quiet);
      remaining -= bytes.length;
      if (remaining < 0) close();
      // Without the schedule a fast sender would deliver two megabytes per iteration of the event loop.
      else this.#scheduler.enqueue(reading);
      socket.pause();
    });
    if (socket.writableFinished) waitForQuiet();
    else socket.once('finish', waitForQuiet);
    socket.once('close', () => {
      clearTimeout(end);
      clearTimeout(quiet);
      this.#scheduler.remove(reading);
    });
    socket.end();
    socket.resume();
  }

  readonly #onData = (bytes: Buffer): void => {
    const socket = this.#socket;
    if (this.#heldBytes > 0) this.#connection.budget.release('requests', this.#heldBytes);
    this.#heldBytes = 0;
    this.#hasUnshifted = false;
    // Bytes after the last response are not read.
    if (socket.destroyed || socket.writableEnded) return;
    if (this.#isPaused) this.#unshift(bytes);
    else if (this.#consumer.consumeQuickly?.(bytes) !== true) this.#consumeFirst(bytes);
  };

  #consumeFirst(bytes: Buffer): void {
    let rest = bytes;
    this.#scheduler.parse(() => {
      this.#scheduler.remove(this);
      const consumed = this.#consumer.consume(bytes);
      rest = bytes.subarray(consumed.bytes);
      return consumed.requests;
    });
    if (this.#hasLeft || rest.length === 0) return;
    this.#unshift(rest);
    if (!this.#isPaused) this.#scheduler.enqueue(this);
  }

  /** Discards the rest: another listener of the end would parse all of it in one step. */
  readonly #onClose = (): void => {
    this.#scheduler.remove(this);
    this.#socket.off('data', this.#onData).read();
  };

  #unshift(bytes: Buffer): void {
    this.#hasUnshifted = true;
    this.#socket.pause();
    this.#socket.unshift(bytes);
    this.#heldBytes = bytes.length;
    this.#connection.hold(bytes.length);
  }
}
