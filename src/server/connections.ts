import { HELD_SMALL_SHARE, QUICK_BODY_BYTES_MAX } from '../limits.ts';
import type { Caller, LimitError } from '../rpc/index.ts';
import { type ConnectionBudget, type HeldBytes, MemoryBudget } from '../scheduling/index.ts';
import { clientOf } from './host-names.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import type { UnusedConnections } from './rate-limiter.ts';

const SECOND_MS = 1_000;

/** What carries a connection: what a socket has, whatever is spoken over it. */
export interface Carrier {
  /** The address of the other side; undefined when it is gone. */
  readonly remoteAddress?: string | undefined;
  /** Whether nothing goes through any more. */
  readonly destroyed: boolean;
  /** Bytes that were written and that the other side has not taken. */
  readonly writableLength: number;
  /** Ends it, whatever is on its way. */
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** One connection: whose turn it is there, and what is held for it. */
export class Connection implements Caller {
  readonly carrier: Carrier;
  /** Whose it is: its address, or the part of it that stands for one client. */
  readonly client: string;
  readonly admit: (() => LimitError | undefined) | undefined;
  /** What is held for it. */
  readonly account: ConnectionBudget;
  /** True from the end of the head of a request to the end of its response. */
  isServing = false;
  /** True once a whole request has come by it. */
  hasWholeRequest = false;
  /** Whose move it is: the client is to send something, the node is at work, or the client is to take its response. */
  state: 'listening' | 'working' | 'answering' = 'listening';
  /** When it came to be so, in an order of all connections; those that are at work are in none. */
  since = 0;
  /** When the client began to send what is held of its request, or to take its response, by `performance.now()`. */
  slowSince = 0;
  /** Bytes that are held of a WebSocket message that is not complete. */
  partialBytes = 0;
  /** Refuses what the client is sending, for lack of memory, and releases its bytes; undefined for no response. */
  refuseForMemory: (() => void) | undefined;
  /** Bytes of the response that it had not taken then. */
  unreadBytes = 0;
  /** Bytes of the response that its carrier has not been given yet. */
  ungivenBytes = 0;
  /** True if its client can read a response whose length is not known before: over HTTP/1.1. */
  takesRest = true;
  /** Followers that have forwarded the request that is carried out. */
  hops = 0;
  /** Whether it is a WebSocket, which is not counted among those that carry one request after the other. */
  isLifted = false;

  constructor(
    carrier: Carrier,
    client: string,
    budget: MemoryBudget,
    admit: ((client: string) => LimitError | undefined) | undefined,
  ) {
    this.carrier = carrier;
    this.client = client;
    this.account = budget.open(client);
    this.admit = admit === undefined ? undefined : () => admit(client);
  }

  isGone(): boolean {
    return this.carrier.destroyed;
  }

  /** Counts bytes that the client has sent, and that wait to be parsed. */
  hold(bytes: number): void {
    if (this.account.bytes === 0) this.slowSince = performance.now();
    this.account.hold('requests', bytes);
  }

  /** Bytes that the client has sent, or taken, since. */
  get movedBytes(): number {
    if (this.isLifted) return this.partialBytes;
    if (this.state === 'listening') return this.account.bytes;
    return this.unreadBytes - this.ungivenBytes - this.carrier.writableLength;
  }
}

/** Bounds of the connections of a server. */
export interface ConnectionsOptions {
  readonly connectionsMax: number;
  /** Bytes that are held for all connections together. */
  readonly heldBytesMax: number;
  /** Milliseconds that a client has to send a request, or to take a response, before others may take its room. */
  readonly slowClientMs: number;
  /** Bytes a second with which it keeps its room all the same. */
  readonly slowClientBytesPerSecond: number;
  /** Counts a call of a client; absent: nobody counts. */
  readonly admit?: ((client: string) => LimitError | undefined) | undefined;
  /** Bound of the connections of a client that end without a whole request; absent: none. */
  readonly unused?: UnusedConnections | undefined;
  readonly onRefused: (reason: RefusalReason) => void;
  /** Told of each new connection. */
  readonly onOpened: () => void;
}

/**
 * The connections of a server: how many there are, which of them the node is working for, and how many bytes it
 * holds for them. What the requests are, and what carries them, is not known here.
 *
 * When there are as many connections as there may be, a new one takes the place of the one that has been without
 * a complete request for longest, whether it is idle, still sending, or not taking its response; never of one whose
 * answer is being worked on.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #all = new Map<Carrier, Connection>();
  readonly #budget: MemoryBudget;
  #changes = 0;
  /** How many of them carry something else than requests one after the other. */
  #lifted = 0;
  #closing = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#budget = new MemoryBudget({
      bytesMax: options.heldBytesMax,
      reclaim: (except) => this.#makeRoomFor(except),
    });
  }

  get size(): number {
    return this.#all.size;
  }

  /** True if every connection closes as soon as it is idle. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /** The bytes that are held for all of them, by what they are. */
  get held(): HeldBytes {
    return this.#budget.held;
  }

  /** Takes a connection in, or closes it when there is no room for it. */
  open(carrier: Carrier): void {
    const { unused, admit, onOpened } = this.#options;
    onOpened();
    const client = clientOf(carrier.remoteAddress ?? '');
    if (this.#closing || unused?.mayOpen(client) === false || !this.#makeRoom()) {
      carrier.destroy();
      return;
    }
    const connection = new Connection(carrier, client, this.#budget, admit);
    this.#all.set(carrier, connection);
    this.#enter(connection, 'listening');
    carrier.once('close', () => {
      if (this.#all.has(carrier)) this.#countUnused(connection);
      this.#forget(connection);
    });
  }

  /** The connection that something carries; undefined for one that is not served, or not any more. */
  of(carrier: Carrier): Connection | undefined {
    return this.#all.get(carrier);
  }

  /** Counts bytes of a request that is coming; false where there is no room for them. */
  receive(connection: Connection, bytes: number): boolean {
    if (connection.account.bytes === 0) connection.slowSince = performance.now();
    return connection.account.holdRequest(bytes);
  }

  /** A whole request has come, and is worked on. */
  work(connection: Connection): void {
    connection.state = 'working';
  }

  /**
   * The client has to take so many bytes: the response that was worked on, or what it is told without having asked.
   *
   * @param ownBytes those that are held for it alone
   */
  answer(connection: Connection, bytes: number, ownBytes = bytes): void {
    if (!this.#all.has(connection.carrier)) return;
    this.#enter(connection, 'answering');
    connection.slowSince = performance.now();
    connection.unreadBytes = bytes;
    connection.account.holdUnread(ownBytes);
    connection.account.release('answers');
  }

  /** The client has taken what it had to, and has to take the next piece of the response: it is not slow so far. */
  proceed(connection: Connection): void {
    connection.slowSince = performance.now();
    connection.unreadBytes = connection.carrier.writableLength;
  }

  /** What the client had to take is taken, or given up. */
  taken(connection: Connection): void {
    if (!this.#all.has(connection.carrier)) return;
    connection.account.release('unread');
    this.#enter(connection, 'listening');
  }

  /** A request is answered, and the response taken, or given up. */
  finish(connection: Connection): void {
    if (!this.#all.has(connection.carrier)) return;
    connection.isServing = false;
    this.taken(connection);
  }

  /**
   * A connection carries something else from now on, of which others take care: it is at work until it closes, and
   * takes no place of those of which there are only so many.
   */
  lift(connection: Connection): void {
    connection.isLifted = true;
    connection.state = 'working';
    this.#lifted += 1;
  }

  /** Closes idle connections, and from now on every connection as soon as it is idle. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const { carrier, isServing } of this.#all.values()) if (!isServing) carrier.destroy();
  }

  /** Closes all connections, whatever is in flight. */
  closeAll(): void {
    for (const carrier of this.#all.keys()) carrier.destroy();
  }

  #makeRoom(): boolean {
    if (this.#all.size - this.#lifted < this.#options.connectionsMax) return true;
    const earliest = this.#first(isListening, isEarlier) ?? this.#first(isAnswering, isEarlier);
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
  #makeRoomFor(except: ConnectionBudget | undefined): boolean {
    const { slowClientMs, slowClientBytesPerSecond, heldBytesMax } = this.#options;
    const now = performance.now();
    const isHolder = (connection: Connection): boolean => {
      const { account, slowSince, movedBytes } = connection;
      const isSmall =
        account.bytes <= QUICK_BODY_BYTES_MAX && account.client.bytes <= heldBytesMax * HELD_SMALL_SHARE;
      if (isSmall || account === except || now - slowSince < slowClientMs) return false;
      return movedBytes < ((now - slowSince) * slowClientBytesPerSecond) / SECOND_MS;
    };
    const holder =
      this.#first((connection) => isSending(connection) && isHolder(connection), holdsMore) ??
      this.#first((connection) => isAnswering(connection) && isHolder(connection), holdsMore);
    if (holder === undefined) return false;
    const { refuseForMemory } = holder;
    if (refuseForMemory === undefined) this.#drop(holder, 'memory');
    else {
      refuseForMemory();
      if (holder.carrier.destroyed) this.#forget(holder);
    }
    return true;
  }

  #drop(connection: Connection, reason: RefusalReason): void {
    this.#options.onRefused(reason);
    // Bytes that are not parsed yet may be a whole request.
    if (connection.account.bytes === 0) this.#countUnused(connection);
    this.#forget(connection);
    connection.carrier.destroy();
  }

  #countUnused(connection: Connection): void {
    if (!connection.hasWholeRequest) this.#options.unused?.take(connection.client);
  }

  #forget(connection: Connection): void {
    if (!this.#all.delete(connection.carrier)) return;
    if (connection.isLifted) this.#lifted -= 1;
    connection.account.close();
  }

  #enter(connection: Connection, state: 'listening' | 'answering'): void {
    connection.state = state;
    this.#changes += 1;
    connection.since = this.#changes;
  }

  /** The first of some connections, by some order. Looked for among all, since that is rarely asked. */
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

function isAnswering({ state }: Connection): boolean {
  return state === 'answering';
}

/** True if the client may be sending a request, or is within a WebSocket message. */
function isSending(connection: Connection): boolean {
  return isListening(connection) || connection.partialBytes > 0;
}

function isEarlier(one: Connection, other: Connection): boolean {
  return one.since < other.since;
}

/** True if more is held for a connection's client than for another's; then if for itself; then if it is earlier. */
function holdsMore(one: Connection, other: Connection): boolean {
  const more =
    one.account.client.bytes - other.account.client.bytes || one.account.bytes - other.account.bytes;
  return more === 0 ? isEarlier(one, other) : more > 0;
}
