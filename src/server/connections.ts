import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PIPELINED_REQUESTS_MAX } from '../limits.ts';
import type { Caller, LimitError } from '../rpc/index.ts';
import type { RefusalReason } from './metrics/metrics.ts';

/** What the connections of a server are bound by. */
export interface ConnectionsOptions {
  readonly connectionsMax: number;
  /** Bytes of bodies and answers that are held for all connections together. */
  readonly heldBytesMax: number;
  /** Counts a call of the client at an address; absent: nobody counts. */
  readonly admit?: ((address: string) => LimitError | undefined) | undefined;
  readonly onRefused: (reason: RefusalReason) => void;
  /** Told of each new connection. */
  readonly onOpened: () => void;
}

/** One connection: whose turn it is there, and what is held for it. */
export class Connection implements Caller {
  readonly socket: Socket;
  readonly admit: (() => LimitError | undefined) | undefined;
  /** Requests that are not answered yet. */
  requests = 0;
  /** Those of them that wait for the answers before theirs. */
  readonly waiting: (() => void)[] = [];
  heldBytes = 0;
  /** Whose move it is: the client is to send something, the node is at work, or the client is to take its answer. */
  state: 'listening' | 'working' | 'answering' = 'listening';
  /** When it came to be so, in an order of all connections; those that are at work are in none. */
  since = 0;

  constructor(socket: Socket, admit: ((address: string) => LimitError | undefined) | undefined) {
    this.socket = socket;
    const address = socket.remoteAddress ?? '';
    this.admit = admit === undefined ? undefined : () => admit(address);
  }

  isGone(): boolean {
    return this.socket.destroyed;
  }
}

/**
 * The connections of a server: how many there are, which of them the node is working for, and how many bytes it
 * holds for them. Requests that were sent ahead wait until the ones before them are answered and the answers taken.
 *
 * When there are as many connections as there may be, a new one takes the place of the one that has been without
 * a complete request for longest, whether it is idle, still sending, or not taking its answer; never of one whose
 * answer is being worked on.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #all = new Map<Socket, Connection>();
  #heldBytes = 0;
  #changes = 0;
  #closing = false;

  constructor(server: Server, options: ConnectionsOptions) {
    this.#options = options;
    server.on('connection', (socket: Socket) => this.#opened(socket));
  }

  get size(): number {
    return this.#all.size;
  }

  /** The connection that a request came by; a lost one for one that is not served any more. */
  of(socket: Socket): Connection {
    return this.#all.get(socket) ?? new Connection(socket, undefined);
  }

  /** Lets a connection's requests reach a listener one after the other. */
  inOrder(listener: RequestListener): RequestListener {
    return (request: IncomingMessage, response: ServerResponse) => {
      const connection = this.#all.get(request.socket);
      if (connection === undefined) return;
      if (connection.requests >= PIPELINED_REQUESTS_MAX) {
        this.#drop(connection, 'pipelining');
        return;
      }
      connection.requests += 1;
      response.once('close', () => this.finish(connection));
      const begin = (): void => listener(request, response);
      if (connection.requests === 1) begin();
      else connection.waiting.push(begin);
    };
  }

  /** Whether so many more bytes may be held without closing a connection for them. */
  hasRoom(bytes: number): boolean {
    return this.#heldBytes + bytes <= this.#options.heldBytesMax;
  }

  /** A whole request has come, and is worked on. */
  work(connection: Connection): void {
    connection.state = 'working';
  }

  /** The work is done, and the client has to take so many bytes. */
  answer(connection: Connection, bytes: number): void {
    if (!this.#all.has(connection.socket)) return;
    this.#enter(connection, 'answering');
    this.hold(connection, bytes);
  }

  /**
   * Counts bytes that are held for a connection. Where all together are too many, those are closed that hold some
   * for their client to go on, the earliest first.
   *
   * @returns false where that is not enough
   */
  hold(connection: Connection, bytes: number): boolean {
    if (!this.#all.has(connection.socket)) return true;
    connection.heldBytes += bytes;
    this.#heldBytes += bytes;
    while (this.#heldBytes > this.#options.heldBytesMax) {
      const isHolder = (other: Connection): boolean => other.heldBytes > 0 && other !== connection;
      const holder = this.#earliest('listening', isHolder) ?? this.#earliest('answering', isHolder);
      if (holder === undefined) return false;
      this.#drop(holder, 'memory');
    }
    return true;
  }

  /** The bytes that are held for a connection are not needed any more. */
  release(connection: Connection): void {
    this.#heldBytes -= connection.heldBytes;
    connection.heldBytes = 0;
  }

  /** The answer to a request is taken, or given up. */
  finish(connection: Connection): void {
    if (!this.#all.has(connection.socket)) return;
    connection.requests -= 1;
    if (connection.heldBytes > 0) this.release(connection);
    this.#enter(connection, 'listening');
    if (this.#closing && connection.requests === 0) connection.socket.destroySoon();
    connection.waiting.shift()?.();
  }

  /** Closes idle connections, and from now on every connection as soon as it is idle. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const { socket, requests } of this.#all.values()) if (requests === 0) socket.destroy();
  }

  /** Closes all connections, whatever is in flight. */
  closeAll(): void {
    for (const socket of this.#all.keys()) socket.destroy();
  }

  #opened(socket: Socket): void {
    this.#options.onOpened();
    if (this.#closing || !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, this.#options.admit);
    this.#all.set(socket, connection);
    this.#enter(connection, 'listening');
    socket.once('close', () => this.#forget(connection));
  }

  #makeRoom(): boolean {
    if (this.#all.size < this.#options.connectionsMax) return true;
    const earliest = this.#earliest('listening') ?? this.#earliest('answering');
    if (earliest === undefined) {
      this.#options.onRefused('connections');
      return false;
    }
    this.#drop(earliest, 'displaced');
    return true;
  }

  #drop(connection: Connection, reason: RefusalReason): void {
    this.#options.onRefused(reason);
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection.socket);
    this.release(connection);
    connection.waiting.length = 0;
  }

  #enter(connection: Connection, state: 'listening' | 'answering'): void {
    connection.state = state;
    this.#changes += 1;
    connection.since = this.#changes;
  }

  /** The connection that has been in a state for longest. Looked for among all, since that is rarely asked. */
  #earliest(state: Connection['state'], isMeant = (_: Connection): boolean => true): Connection | undefined {
    let earliest: Connection | undefined;
    for (const connection of this.#all.values()) {
      if (connection.state !== state || !isMeant(connection)) continue;
      if (earliest === undefined || connection.since < earliest.since) earliest = connection;
    }
    return earliest;
  }
}
