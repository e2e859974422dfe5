import { HELD_SMALL_SHARE, QUICK_BODY_BYTES_MAX } from '../limits.ts';
import type { Caller, LimitError } from '../rpc/index.ts';
import { type ConnectionBudget, type HeldBytes, MemoryBudget } from '../scheduling/index.ts';
import { clientOf } from './host-names.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import type { UnusedConnectionLimiter } from './rate-limiter.ts';

const SECOND_MS = 1_000;

/** The transport of a connection: the part of a socket that every protocol over it needs. */
export interface Transport {
  /** The address of the other side; undefined when it is gone. */
  readonly remoteAddress?: string | undefined;
  readonly destroyed: boolean;
  /** Bytes that were written and that the other side has not taken. */
  readonly writableLength: number;
  /** Ends it at once. */
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Changes of state of all connections, which order them. */
let changes = 0;

/** A connection: its state, and the memory that is held for it. */
export class Connection implements Caller {
  readonly transport: Transport;
  /** Address of the client, or the part of it that identifies one client. */
  readonly client: string;
  readonly admit: (() => LimitError | undefined) | undefined;
  readonly budget: ConnectionBudget;
  /** True from the end of the head of a request to the end of its response. */
  isServing = false;
  /** True after a whole request. */
  hasWholeRequest = false;
  /** The party that acts next: the client sends, the node works, or the client takes its response. */
  state: 'listening' | 'working' | 'responding' = 'listening';
  /** Number of the change to this state; unused while the node works. */
  since = 0;
  /** When the client began to send the held part of its request, or to take its response, by `performance.now()`. */
  slowSince = 0;
  /** Bytes that are held of a WebSocket message that is not complete. */
  partialBytes = 0;
  /** Refuses the incoming request for lack of memory, and releases its bytes; undefined if there is no response. */
  refuseForMemory: (() => void) | undefined;
  /** Bytes of the response that the client had not taken at `slowSince`. */
  unreadBytes = 0;
  /** Bytes of the response that were not written to the transport yet. */
  unwrittenBytes = 0;
  /** True if its client can read a response of unknown length: over HTTP/1.1. */
  acceptsStreams = true;
  /** Followers that have forwarded the current request. */
  hops = 0;
  /** True for a WebSocket, which is not counted among the connections of requests. */
  isUpgraded = false;
  /** True once it has no place among the connections any more. */
  isRemoved = false;

  constructor(
    transport: Transport,
    client: string,
    budget: MemoryBudget,
    admit: ((client: string) => LimitError | undefined) | undefined,
  ) {
    this.transport = transport;
    this.client = client;
    this.budget = budget.open(client);
    this.admit = admit === undefined ? undefined : () => admit(client);
    this.#enter('listening');
  }

  isGone(): boolean {
    return this.transport.destroyed;
  }

  /** Counts bytes of the client that wait to be parsed. */
  hold(bytes: number): void {
    if (this.budget.bytes === 0) this.slowSince = performance.now();
    this.budget.hold('requests', bytes);
  }

  /** Counts bytes of an incoming request; returns false if there is no room for them. */
  receive(bytes: number): boolean {
    if (this.budget.bytes === 0) this.slowSince = performance.now();
    return this.budget.holdRequest(bytes);
  }

  /**
   * Counts bytes that the client has to take: a response, or notifications.
   *
   * @param ownBytes bytes that are held for it alone
   */
  noteResponse(bytes: number, ownBytes = bytes): void {
    if (this.isRemoved) return;
    this.#enter('responding');
    this.slowSince = performance.now();
    this.unreadBytes = bytes;
    this.budget.holdUnread(ownBytes);
    this.budget.release('answers');
  }

  /** Notes that the client has taken a piece of a response and has to take the next one: it is not slow so far. */
  noteProgress(): void {
    this.slowSince = performance.now();
    this.unreadBytes = this.transport.writableLength;
  }

  /** Notes that the response is taken, or aborted. */
  noteRead(): void {
    if (this.isRemoved) return;
    this.isServing = false;
    this.budget.release('unread');
    this.#enter('listening');
  }

  /** Bytes that the client has sent, or taken, since. */
  get movedBytes(): number {
    if (this.isUpgraded) return this.partialBytes;
    if (this.state === 'listening') return this.budget.bytes;
    return this.unreadBytes - this.unwrittenBytes - this.transport.writableLength;
  }

  #enter(state: 'listening' | 'responding'): void {
    this.state = state;
    changes += 1;
    this.since = changes;
  }
}

/** Bounds of the connections of a server. */
export interface ConnectionsOptions {
  readonly connectionsMax: number;
  /** Bytes that are held for all connections together. */
  readonly heldBytesMax: number;
  /** Milliseconds that a client has to send a request, or to take a response, before its memory may be reclaimed. */
  readonly slowClientMs: number;
  /** Bytes a second with which it keeps its memory all the same. */
  readonly slowClientBytesPerSecond: number;
  /** Counts a call of a client; absent: unbounded. */
  readonly admit?: ((client: string) => LimitError | undefined) | undefined;
  /** Bound of the connections of a client that end without a whole request; absent: none. */
  readonly unused?: UnusedConnectionLimiter | undefined;
  readonly onRefused: (reason: RefusalReason) => void;
  readonly onOpened: () => void;
}

/**
 * The connections of a server, independent of their protocol: their number, their states and the bytes held for them.
 *
 * At the bound a new connection displaces the one that has been without a complete request for longest: idle, still
 * sending, or not taking its response; never one that the node works for.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #all = new Map<Transport, Connection>();
  readonly #budget: MemoryBudget;
  #upgradedCount = 0;
  #closing = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#budget = new MemoryBudget({
      bytesMax: options.heldBytesMax,
      reclaim: (except) => this.#reclaim(except),
    });
  }

  get size(): number {
    return this.#all.size;
  }

  /** True if every connection closes as soon as it is idle. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /** Bytes that are held for all of them, by kind. */
  get held(): HeldBytes {
    return this.#budget.held;
  }

  /** Adds a connection; closes it and returns undefined if there is no room for it. */
  open(transport: Transport): Connection | undefined {
    const { unused, admit, onOpened } = this.#options;
    onOpened();
    const client = clientOf(transport.remoteAddress ?? '');
    if (this.#closing || unused?.mayOpen(client) === false || !this.#makeRoom()) {
      transport.destroy();
      return undefined;
    }
    const connection = new Connection(transport, client, this.#budget, admit);
    this.#all.set(transport, connection);
    transport.once('close', () => {
      if (!connection.isRemoved) this.#countUnused(connection);
      this.#remove(connection);
    });
    return connection;
  }

  /** Turns a connection into a WebSocket: it counts as at work until it closes, and has a bound of its own. */
  upgrade(connection: Connection): void {
    connection.isUpgraded = true;
    connection.state = 'working';
    this.#upgradedCount += 1;
  }

  /** Closes idle connections, and from now on every connection as soon as it is idle. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const { transport, isServing } of this.#all.values()) if (!isServing) transport.destroy();
  }

  /** Closes all connections, with requests in flight. */
  closeAll(): void {
    for (const transport of this.#all.keys()) transport.destroy();
  }

  #makeRoom(): boolean {
    if (this.#all.size - this.#upgradedCount < this.#options.connectionsMax) return true;
    const earliest = this.#first(isListening, isEarlier) ?? this.#first(isResponding, isEarlier);
    if (earliest === undefined) {
      this.#options.onRefused('connections');
      return false;
    }
    this.#drop(earliest, 'displaced');
    return true;
  }

  /**
   * Reclaims the memory of a connection: of those with a slow client, one of the address that holds most. Spares small
   * holders, which would give back next to nothing.
   */
  #reclaim(except: ConnectionBudget | undefined): boolean {
    const { slowClientMs, slowClientBytesPerSecond, heldBytesMax } = this.#options;
    const now = performance.now();
    const isHolder = (connection: Connection): boolean => {
      const { budget, slowSince, movedBytes } = connection;
      const isSmall =
        budget.bytes <= QUICK_BODY_BYTES_MAX && budget.client.bytes <= heldBytesMax * HELD_SMALL_SHARE;
      if (isSmall || budget === except || now - slowSince < slowClientMs) return false;
      return movedBytes < ((now - slowSince) * slowClientBytesPerSecond) / SECOND_MS;
    };
    const holder =
      this.#first((connection) => isSending(connection) && isHolder(connection), holdsMore) ??
      this.#first((connection) => isResponding(connection) && isHolder(connection), holdsMore);
    if (holder === undefined) return false;
    const { refuseForMemory } = holder;
    if (refuseForMemory === undefined) this.#drop(holder, 'memory');
    else {
      refuseForMemory();
      if (holder.transport.destroyed) this.#remove(holder);
    }
    return true;
  }

  #drop(connection: Connection, reason: RefusalReason): void {
    this.#options.onRefused(reason);
    // Bytes that are not parsed yet may be a whole request.
    if (connection.budget.bytes === 0) this.#countUnused(connection);
    this.#remove(connection);
    connection.transport.destroy();
  }

  #countUnused(connection: Connection): void {
    if (!connection.hasWholeRequest) this.#options.unused?.take(connection.client);
  }

  #remove(connection: Connection): void {
    if (connection.isRemoved) return;
    connection.isRemoved = true;
    this.#all.delete(connection.transport);
    if (connection.isUpgraded) this.#upgradedCount -= 1;
    connection.budget.close();
  }

  /** Returns the first of some connections in an order. Searches all of them, since that is rare. */
  #first(
    isMeant: (connection: Connection) => boolean,
    comesBefore: (one: Connection, other: Connection) => boolean,
  ): Connection | undefined {
    let first: Connection | undefined;
    for (const connection of this.#all.values()) {
      if (!isMeant(connection)) continue;
      if (first === undefined || comesBefore(connection, first)) first = connection;
    }
    return first;
  }
}

function isListening({ state }: Connection): boolean {
  return state === 'listening';
}

function isResponding({ state }: Connection): boolean {
  return state === 'responding';
}

/** Returns true if the client may be sending a request, or is within a WebSocket message. */
function isSending(connection: Connection): boolean {
  return isListening(connection) || connection.partialBytes > 0;
}

function isEarlier(one: Connection, other: Connection): boolean {
  return one.since < other.since;
}

/** Compares two connections by the bytes held for their clients, then for themselves, then by their order. */
function holdsMore(one: Connection, other: Connection): boolean {
  const more = one.budget.client.bytes - other.budget.client.bytes || one.budget.bytes - other.budget.bytes;
  return more === 0 ? isEarlier(one, other) : more > 0;
}
