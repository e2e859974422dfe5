import type { Caller, LimitError } from '../rpc/index.ts';
import {
  type ConnectionBudget,
  HELD_SMALL_SHARE,
  type HeldBytes,
  MemoryBudget,
  QUICK_BODY_BYTES_MAX,
} from '../scheduling/index.ts';
import { clientOf } from './host-names.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import type { UnusedConnectionLimiter } from './rate-limiter.ts';

const SECOND_MS = 1_000;

/** The transport of a connection: the part of a socket that all protocols use. */
export interface Transport {
  /** Address of the client; undefined after the client has disconnected. */
  readonly remoteAddress?: string | undefined;
  readonly destroyed: boolean;
  /** Written bytes in the buffer of the socket, which the system has not accepted. */
  readonly writableLength: number;
  /** Ends it at once. */
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Counter of state changes of all connections, by which they are ordered. */
let changes = 0;

/** The state of a connection, and the memory that is held for it. */
export class Connection implements Caller {
  readonly transport: Transport;
  /** Address of the client: an IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly client: string;
  readonly admit: (() => LimitError | undefined) | undefined;
  readonly budget: ConnectionBudget;
  /** True from the end of the head of a request to the end of its response. */
  isServing = false;
  /** True after a whole request. */
  hasWholeRequest = false;
  /** Phase of the connection: the client sends, the node works, or the client reads its response. */
  state: 'listening' | 'working' | 'responding' = 'listening';
  /** Number of the change to this state; unused while the node works. */
  since = 0;
  /** Time at which the client began to send the held bytes or to read its response, by `performance.now()`. */
  slowSince = 0;
  /** Held bytes of an incomplete WebSocket message. */
  partialBytes = 0;
  /** Refuses the incoming request for lack of memory, and releases its bytes; undefined if no request is open. */
  refuseForMemory: (() => void) | undefined;
  /** Unread bytes of the response at `slowSince`. */
  unreadBytes = 0;
  /** Bytes of the response that are not written to the transport yet. */
  unwrittenBytes = 0;
  /** True if the client accepts a response of unknown length: over HTTP/1.1. */
  acceptsStreams = true;
  /** Number of followers that have forwarded the current request. */
  hops = 0;
  /** True for a WebSocket, which has a separate bound. */
  isUpgraded = false;
  /** True after it was removed from the table of connections. */
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

  /** Counts unparsed bytes of the client. */
  hold(bytes: number): void {
    if (this.budget.bytes === 0) this.slowSince = performance.now();
    this.budget.hold('requests', bytes);
  }

  /** Counts bytes of an incoming request; returns false if they exceed the memory budget. */
  receive(bytes: number): boolean {
    if (this.budget.bytes === 0) this.slowSince = performance.now();
    return this.budget.holdRequest(bytes);
  }

  /** Counts unread bytes of a response. @param ownBytes bytes of it that no other client shares */
  noteResponse(bytes: number, ownBytes = bytes): void {
    if (this.isRemoved) return;
    this.#enter('responding');
    this.slowSince = performance.now();
    this.unreadBytes = bytes;
    this.budget.holdUnread(ownBytes);
    this.budget.release('answers');
  }

  /** Notes that the client has read a chunk of a response: the time of the next one begins. */
  noteProgress(): void {
    this.slowSince = performance.now();
    this.unreadBytes = this.transport.writableLength;
  }

  /** Notes that the response was read, or aborted. */
  noteRead(): void {
    if (this.isRemoved) return;
    this.isServing = false;
    if (this.state === 'responding') this.budget.release('unread');
    this.#enter('listening');
  }

  /** Bytes that the client has sent or read since `slowSince`. */
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
  /** Milliseconds to send a request or read a response before the client's memory may be reclaimed. */
  readonly slowClientMs: number;
  /** Bytes a second that protect a slow client from that. */
  readonly slowClientBytesPerSecond: number;
  /** Counts a call of a client; absent: unbounded. */
  readonly admit?: ((client: string) => LimitError | undefined) | undefined;
  /** Bound of the connections of a client that end without a whole request; absent: none. */
  readonly unused?: UnusedConnectionLimiter | undefined;
  readonly onRefused: (reason: RefusalReason) => void;
  readonly onOpened: () => void;
}

/**
 * The connections of a server, independent of their protocol.
 *
 * At the bound a new connection displaces the one that has been without a complete request for longest: idle, still
 * sending, or reading its response; never one with a request in process.
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

  /** True if connections close when they become idle. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /** Bytes held for all connections, by kind. */
  get held(): HeldBytes {
    return this.#budget.held;
  }

  /** Adds a connection; closes it and returns undefined if it exceeds a bound. */
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

  /** Marks a connection as a WebSocket, which counts as working until it closes and has a separate bound. */
  upgrade(connection: Connection): void {
    connection.isUpgraded = true;
    connection.state = 'working';
    this.#upgradedCount += 1;
  }

  /** Closes idle connections now, and the others when they become idle. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const { transport, isServing } of this.#all.values()) if (!isServing) transport.destroy();
  }

  /** Closes all connections, also those with requests in flight. */
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
   * Reclaims the memory of a slow client's connection: of the address that holds most. Spares small holders, whose
   * memory would not help.
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
    // Unparsed bytes may be a whole request.
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

  /** Returns the first matching connection in an order, by a search of all: this is rare. */
  #first(
    matches: (connection: Connection) => boolean,
    isBefore: (one: Connection, other: Connection) => boolean,
  ): Connection | undefined {
    let first: Connection | undefined;
    for (const connection of this.#all.values()) {
      if (matches(connection) && (first === undefined || isBefore(connection, first))) first = connection;
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

/** Returns true if more bytes are held for the client of a connection, then for itself; ties go to the earlier one. */
function holdsMore(one: Connection, other: Connection): boolean {
  const more = one.budget.client.bytes - other.budget.client.bytes || one.budget.bytes - other.budget.bytes;
  return more === 0 ? isEarlier(one, other) : more > 0;
}
