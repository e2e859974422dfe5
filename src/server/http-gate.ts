import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { PARSED_BYTES_MIN, PARSED_LINES_MAX, REQUEST_LINES } from '../limits.ts';
import { invariant } from '../protocol/index.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { type GatedParser, GatedSocket } from './gated-socket.ts';
import { endLingering } from './lingering.ts';
import type { BodySource } from './long-bodies.ts';
import type { ParseTurns } from './parse-turns.ts';

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
      endUpgradesAtHead(socket);
      const parser = parserOf(socket, connection);
      this.#sockets.set(socket, new GatedSocket(socket, connection, parser, this.#turns));
      // An HTTP server ends a connection by this after the last response.
      socket.destroySoon = () => endLingering(socket, this.#turns);
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

/** The parser that an HTTP server gives to a connection, which Node.js does not describe. */
interface ParsedSocket extends Socket {
  readonly parser?: { onIncoming(request: IncomingMessage, keepAlive: boolean): number } | null;
}

/** Result of the listener for heads by which the parser leaves all bytes behind the head to another protocol. */
const UPGRADE = 2;

/**
 * Hands a request for another protocol over with all bytes behind its head. From version 26 on Node.js parses its body
 * first, which cannot be given to another server then; and what comes behind the body is lost if nobody upgrades.
 */
function endUpgradesAtHead(socket: ParsedSocket): void {
  const { parser } = socket;
  invariant(parser?.onIncoming !== undefined, 'an HTTP server parses what comes by a connection');
  const onIncoming = parser.onIncoming;
  parser.onIncoming = (request, keepAlive) => {
    const result = onIncoming(request, keepAlive);
    return (request as { upgrade?: boolean }).upgrade === true ? UPGRADE : result;
  };
}

/** Parses what comes by a connection by the listener of an HTTP server. */
function parserOf(socket: Socket, connection: Connection): GatedParser {
  const [listener] = socket.listeners('data');
  invariant(listener !== undefined, 'an HTTP server listens to what comes by a connection');
  const parse = listener as (bytes: Buffer) => void;
  socket.off('data', parse);
  return {
    endOfFirst: endOfLines,
    parse: (bytes) => {
      const { requests } = connection;
      parse(bytes);
      return Math.max(0, connection.requests - requests);
    },
  };
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
