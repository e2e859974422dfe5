import type { Socket } from 'node:net';
import type { LoopTask } from '../scheduling/index.ts';
import type { Connection } from './connection.ts';
import type { BodySource } from './long-bodies.ts';
import type { ParseTurns } from './parse-turns.ts';

/** Bytes that were consumed, from the beginning of those that were given, and requests that have come in them. */
export interface Consumed {
  readonly bytes: number;
  readonly requests: number;
}

/** Parses the bytes of a connection, which could go on for long if it was given all of them. */
export interface ByteConsumer {
  /** Consumes all bytes at once if that is quick; returns false if it has consumed nothing. */
  consumeQuickly?(bytes: Buffer): boolean;
  /** Consumes as many bytes, from the first one on, as are parsed at a time. */
  consume(bytes: Buffer): Consumed;
}

/**
 * Gives the bytes of a connection to a consumer, a little at a time. What is left goes back to the socket, which gives
 * it again, in its place before whatever comes next or the end.
 */
export class SocketReader implements LoopTask, BodySource {
  readonly client: string;
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #consumer: ByteConsumer;
  readonly #turns: ParseTurns;
  #heldBytes = 0;
  /** True if no bytes are to be consumed now. */
  #isPaused = false;
  /** True if the socket is paused because it holds bytes that are to be consumed later. */
  #hasPutBack = false;
  #hasLeft = false;

  constructor(socket: Socket, connection: Connection, consumer: ByteConsumer, turns: ParseTurns) {
    this.client = connection.client;
    this.#socket = socket;
    this.#connection = connection;
    this.#consumer = consumer;
    this.#turns = turns;
    socket.on('data', this.#onData).prependOnceListener('close', this.#onClose);
  }

  /** Consumes no more until `resume`. The socket goes on reading until it has bytes, so that its end is noticed. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#hasPutBack) this.runSlice();
  }

  runSlice(): void {
    this.#socket.resume();
    // It would give what it has only after this turn.
    this.#socket.read();
  }

  /** Lets go of the socket: what comes is for somebody else from now on. */
  leave(): void {
    this.#hasLeft = true;
    this.#turns.remove(this);
    this.#connection.account.release('requests', this.#heldBytes);
    this.#socket.off('data', this.#onData).off('close', this.#onClose);
  }

  readonly #onData = (bytes: Buffer): void => {
    const socket = this.#socket;
    if (this.#heldBytes > 0) this.#connection.account.release('requests', this.#heldBytes);
    this.#heldBytes = 0;
    this.#hasPutBack = false;
    // What comes after the last response is for nobody.
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

  /** What is left is for nobody: whoever listens to the end would parse all of it at once. */
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
