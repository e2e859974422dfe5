import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { PARSED_BYTES_MIN, PARSED_LINES_MAX, REQUEST_LINES } from '../limits.ts';
import { invariant } from '../protocol/index.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { endLingering } from './lingering.ts';
import type { BodySource } from './long-bodies.ts';
import type { ParseTurns, Parsing } from './parse-turns.ts';

const NOTHING = Buffer.alloc(0);
const LINE_FEED = '\n'.charCodeAt(0);
const CARRIAGE_RETURN = '\r'.charCodeAt(0);

/**
 * Stands between connections and the parser of an HTTP server, which reads what the system gives at a time, 64 KiB, and
 * cannot be interrupted within that: ten thousand chunks, or thousands of requests. It gets a few lines at a time
 * instead, and connections take turns.
 */
export class HttpGate {
  readonly #connections: Connections;
  readonly #turns: ParseTurns;
  readonly #sockets = new WeakMap<Socket, GatedSocket>();

  constructor(connections: Connections, turns: ParseTurns) {
    this.#connections = connections;
    this.#turns = turns;
  }

  /** Has all that comes by the connections of a server go through the gate. */
  guard(http: Server): void {
    const [listener] = http.listeners('connection');
    invariant(listener !== undefined, 'an HTTP server listens to its connections');
    const toHttp = listener as (this: Server, socket: Socket) => void;
    http.off('connection', toHttp);
    http.on('connection', (socket: Socket) => {
      const connection = this.#connections.of(socket);
      if (connection === undefined) return;
      toHttp.call(http, socket);
      this.#sockets.set(socket, new GatedSocket(socket, connection, this.#turns));
    });
  }

  /** What the body of a request is read from that has come by a connection. */
  sourceOf(socket: Socket): BodySource {
    const gated = this.#sockets.get(socket);
    invariant(gated !== undefined, 'what an HTTP server reads has come through the gate');
    return gated;
  }

  /** An HTTP server has left a connection to another protocol: what comes after its request is not for the parser. */
  leave(socket: Socket): void {
    this.#sockets.get(socket)?.leave();
    this.#sockets.delete(socket);
  }
}

/**
 * One connection of which the parser gets a little at a time. What is left goes back to the socket, which gives it
 * again, in its place before whatever comes next or the end. The parser itself pauses the socket as long as requests
 * are not read, or responses not taken, and goes on with it then.
 */
class GatedSocket implements Parsing, BodySource {
  readonly client: string;
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #turns: ParseTurns;
  readonly #parse: (bytes: Buffer) => void;
  /** What comes behind the bytes that are parsed. */
  #rest: Buffer = NOTHING;
  #heldBytes = 0;
  /** Whether the body that comes is not to be read now. */
  #isBodyPaused = false;
  /** Whether it is the gate that has paused the socket. */
  #hasPaused = false;
  #hasLeft = false;

  constructor(socket: Socket, connection: Connection, turns: ParseTurns) {
    this.client = connection.client;
    this.#socket = socket;
    this.#connection = connection;
    this.#turns = turns;
    const [parse] = socket.listeners('data');
    invariant(parse !== undefined, 'an HTTP server listens to what comes by a connection');
    this.#parse = parse as (bytes: Buffer) => void;
    socket.off('data', this.#parse).on('data', this.#onData).once('close', this.#onClose);
    // An HTTP server ends a connection by this after the last response.
    socket.destroySoon = () => endLingering(socket);
  }

  pause(): void {
    this.#isBodyPaused = true;
  }

  resume(): void {
    this.#isBodyPaused = false;
    if (this.#hasPaused) this.goOn();
  }

  goOn(): void {
    this.#socket.resume();
    // It would give what it has only after this turn.
    this.#socket.read();
  }

  leave(): void {
    this.#hasLeft = true;
    this.#socket.off('data', this.#onData).off('close', this.#onClose);
    this.#socket.unshift(this.#rest);
  }

  readonly #onData = (bytes: Buffer): void => {
    const socket = this.#socket;
    this.#connection.account.release('requests', this.#heldBytes);
    this.#heldBytes = 0;
    this.#hasPaused = false;
    // What comes after the last response is for nobody.
    if (socket.destroyed || socket.writableEnded) return;
    if (this.#isBodyPaused || !this.#turns.parse(() => this.#parseFirst(bytes))) {
      this.#waitWith(bytes);
      return;
    }
    const rest = this.#rest;
    this.#rest = NOTHING;
    if (this.#hasLeft || rest.length === 0) return;
    if (socket.isPaused()) this.#keep(rest);
    else this.#waitWith(rest);
  };

  /** Parses some lines; gives how many requests have come in them. */
  #parseFirst(bytes: Buffer): number {
    const { requests } = this.#connection;
    const end = endOfLines(bytes);
    this.#turns.giveUp(this);
    this.#rest = bytes.subarray(end);
    this.#parse(bytes.subarray(0, end));
    return Math.max(0, this.#connection.requests - requests);
  }

  readonly #onClose = (): void => this.#turns.giveUp(this);

  #waitWith(bytes: Buffer): void {
    this.#hasPaused = true;
    this.#socket.pause();
    this.#keep(bytes);
    if (!this.#isBodyPaused) this.#turns.wait(this);
  }

  #keep(bytes: Buffer): void {
    this.#socket.unshift(bytes);
    this.#heldBytes = bytes.length;
    this.#connection.account.hold('requests', bytes.length);
  }
}

/**
 * Where the lines end that are parsed at a time; all bytes where there are fewer. Every chunk of a body ends two lines,
 * and every request an empty one, so that bytes without line ends are parsed soon.
 */
function endOfLines(bytes: Buffer): number {
  let end = 0;
  for (let lines = 0; lines < PARSED_LINES_MAX || end < PARSED_BYTES_MIN; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, end);
    if (lineFeed < 0) return bytes.length;
    const length = bytes[lineFeed - 1] === CARRIAGE_RETURN ? lineFeed - 1 - end : lineFeed - end;
    lines += length === 0 ? REQUEST_LINES : 1;
    end = lineFeed + 1;
  }
  return end;
}
