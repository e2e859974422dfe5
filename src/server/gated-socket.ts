import type { Socket } from 'node:net';
import type { LoopTask } from '../scheduling/index.ts';
import type { Connection } from './connection.ts';
import type { BodySource } from './long-bodies.ts';
import type { ParseTurns } from './parse-turns.ts';

const NOTHING = Buffer.alloc(0);

/** What reads the bytes of a connection, which could go on for long if it was given all of them. */
export interface GatedParser {
  /** Where those of some bytes end that are parsed at a time; they are parsed next. */
  endOfFirst(bytes: Buffer): number;
  /** Parses bytes; gives how many requests have come in them. */
  parse(bytes: Buffer): number;
}

/**
 * One connection of which a parser gets a little at a time. What is left goes back to the socket, which gives it
 * again, in its place before whatever comes next or the end. The parser itself may pause the socket, as that of HTTP
 * does as long as requests are not read, or responses not taken, and goes on with it then.
 */
export class GatedSocket implements LoopTask, BodySource {
  readonly client: string;
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #parser: GatedParser;
  readonly #turns: ParseTurns;
  /** What comes behind the bytes that are parsed. */
  #rest: Buffer = NOTHING;
  #heldBytes = 0;
  /** Whether what comes is not to be read now. */
  #isPaused = false;
  /** Whether it is the gate that has paused the socket. */
  #hasPaused = false;
  #hasLeft = false;

  constructor(socket: Socket, connection: Connection, parser: GatedParser, turns: ParseTurns) {
    this.client = connection.client;
    this.#socket = socket;
    this.#connection = connection;
    this.#parser = parser;
    this.#turns = turns;
    socket.on('data', this.#onData).prependOnceListener('close', this.#onClose);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#hasPaused) this.runSlice();
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
    this.#socket.off('data', this.#onData).off('close', this.#onClose);
    if (this.#rest.length > 0) this.#socket.unshift(this.#rest);
  }

  readonly #onData = (bytes: Buffer): void => {
    const socket = this.#socket;
    this.#connection.account.release('requests', this.#heldBytes);
    this.#heldBytes = 0;
    this.#hasPaused = false;
    // What comes after the last response is for nobody.
    if (socket.destroyed || socket.writableEnded) return;
    if (this.#isPaused || !this.#turns.parse(() => this.#parseFirst(bytes))) {
      this.#waitWith(bytes);
      return;
    }
    const rest = this.#rest;
    this.#rest = NOTHING;
    if (this.#hasLeft || rest.length === 0) return;
    if (socket.isPaused()) this.#keep(rest);
    else this.#waitWith(rest);
  };

  /** Parses a little; gives how many requests have come in it. */
  #parseFirst(bytes: Buffer): number {
    const end = this.#parser.endOfFirst(bytes);
    this.#turns.remove(this);
    this.#rest = bytes.subarray(end);
    return this.#parser.parse(bytes.subarray(0, end));
  }

  /** What is left is for nobody: whoever listens to the end would parse all of it at once. */
  readonly #onClose = (): void => {
    this.#turns.remove(this);
    this.#socket.off('data', this.#onData).read();
  };

  #waitWith(bytes: Buffer): void {
    this.#hasPaused = true;
    this.#socket.pause();
    this.#keep(bytes);
    if (!this.#isPaused) this.#turns.wait(this);
  }

  #keep(bytes: Buffer): void {
    this.#socket.unshift(bytes);
    this.#heldBytes = bytes.length;
    this.#connection.hold(bytes.length);
  }
}
