import { FAIR_CLIENTS_MAX, WAITING_CALLS_MAX } from '../limits.ts';
import { type CallCosts, type CostedCall, kindOf, typicalOf } from './call-costs.ts';
import type { ClientConnection } from './client-connection.ts';
import { mayHaveMore } from './fair-share.ts';
import { LimitError } from './limit-error.ts';

/** Milliseconds that are expected of a call of a client and of a kind of which nothing is known. */
const UNKNOWN_CALL_MS = 5;

/**
 * How many times its part something waits for what is shorter and of the same client. More than once, since what is
 * expected may be wrong.
 */
const SHORTER_FIRST_FACTOR = 4;
/** What of the time of an unknown call still counts after another call of its client. */
const UNKNOWN_SHARE = 0.5;
/** Milliseconds by which something takes longer than expected, so that others may as well. */
const SURPRISE_MS = 10;

/** The origin of a task: all that is known of it before it runs. */
export interface TaskOrigin {
  readonly caller: ClientConnection;
  /** Absent if it is no single call, such as a part of a batch. */
  readonly call?: CostedCall | undefined;
  /** True for the rest of a task that has begun, which is not refused. */
  readonly isBegun?: boolean | undefined;
}

/** Something that waits, or was begun. */
export interface Ticket<T> {
  readonly item: T;
  readonly caller: ClientConnection;
  /** What calls of its kind are known by; undefined where there is no call. */
  readonly kind: string | undefined;
  /** Milliseconds that it is expected to take. */
  expected: number;
  /** Whether nothing was known of its kind, nor of its connection. */
  isUnknown: boolean;
  /** When it would begin, by the time of its client, if all connections of the client were served side by side. */
  readonly start: number;
  /** Until when what is shorter goes before it, by that time. */
  due: number;
  /** Its place in the order in which all have come. */
  readonly place: number;
  readonly connection: ConnectionShare;
  readonly client: ClientShare<T>;
}

/** What somebody has had of what he shares with others. */
interface Share {
  /** Up to when he has used his part, by the time that he shares with the others. */
  used: number;
  /** What asks for more: what waits, and what is being worked on. */
  open: number;
}

interface ConnectionShare extends Share {
  /** Milliseconds that what it asks for takes typically; undefined before the first time. */
  typical: number | undefined;
}

interface ClientShare<T> extends Share {
  /** Milliseconds that has taken of late of which nothing was known before. */
  ofUnknown: number;
  readonly time: SharedTime;
  readonly connections: WeakMap<object, ConnectionShare>;
  /** The one that is due first comes first. */
  readonly waiting: Ticket<T>[];
}

/**
 * The time of those who share something: it stands at what each of them would have used by now if all who have
 * something open had been served side by side. Whoever comes begins there: he has no claim to what was before him,
 * and nobody who waits is behind him.
 */
class SharedTime {
  #now = 0;
  #open = 0;

  enter(share: Share): void {
    if (share.open === 0) {
      this.#open += 1;
      share.used = Math.max(share.used, this.#now);
    }
    share.open += 1;
  }

  leave(share: Share, milliseconds: number): void {
    this.#now += milliseconds / this.#open;
    share.open -= 1;
    if (share.open === 0) this.#open -= 1;
  }
}

/**
 * What waits to be carried out, by whatever can do that, and what is next: of all clients the one that has used least
 * of its part, and of its connections likewise. A client is an address, so that many connections are worth no more
 * than one; and a connection that is new has no advantage over one that waits. What is expected to be short goes
 * before what is long, but delays it by a few times its part at most: so one whose calls are short is served at once
 * among others whose calls are long, even at their own address.
 */
export class FairQueue<T> {
  readonly #costs: CallCosts;
  readonly #time = new SharedTime();
  /** In the order in which they last asked. */
  readonly #clients = new Map<string, ClientShare<T>>();
  readonly #waiting = new Set<ClientShare<T>>();
  readonly #giveUp: (item: T) => void;
  #size = 0;
  #come = 0;

  /**
   * @param costs what calls of a kind have taken
   * @param giveUp called with what is not carried out, since its caller is gone
   */
  constructor(costs: CallCosts, giveUp: (item: T) => void) {
    this.#costs = costs;
    this.#giveUp = giveUp;
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** Lets something wait. Throws `LimitError` where too many of the client, or too many in all, wait already. */
  push({ caller, call, isBegun }: TaskOrigin, item: T): void {
    const client = this.#clientOf(caller.client);
    if (isBegun !== true) this.#checkRoom(client);
    const connection = connectionOf(client, caller);
    const kind = call === undefined ? undefined : kindOf(call);
    this.#time.enter(client);
    client.time.enter(connection);
    this.#come += 1;
    const [place, start] = [this.#come, connection.used];
    const ticket = {
      item,
      caller,
      kind,
      expected: 0,
      start,
      due: start,
      place,
      connection,
      client,
      isUnknown: true,
    };
    this.#expect(ticket);
    client.waiting.splice(placeOf(ticket.due, client.waiting), 0, ticket);
    this.#waiting.add(client);
    this.#size += 1;
  }

  /** What is next, which goes on waiting until it is begun; undefined where nothing waits. */
  next(): Ticket<T> | undefined {
    for (;;) {
      const first = this.#first();
      if (first?.caller.isGone?.() !== true) return first;
      this.#drop(first);
    }
  }

  /** Takes what is next out of the queue. */
  begin(ticket: Ticket<T>): void {
    ticket.client.used += ticket.expected;
    this.#remove(ticket);
  }

  /** Takes note of how long something has taken that was begun. What waits may be expected to take longer then. */
  end(ticket: Ticket<T>, milliseconds: number): void {
    const { connection, client, expected, kind } = ticket;
    client.used += milliseconds - expected;
    connection.used += milliseconds - expected;
    this.#time.leave(client, milliseconds);
    client.time.leave(connection, milliseconds);
    client.ofUnknown = Math.max(ticket.isUnknown ? milliseconds : 0, client.ofUnknown * UNKNOWN_SHARE);
    connection.typical = typicalOf(connection.typical, milliseconds);
    if (kind !== undefined) this.#costs.note(kind, milliseconds);
    if (milliseconds > expected + SURPRISE_MS) this.#expectAnew();
  }

  /** Takes note of something that nothing had to wait for. */
  note(caller: ClientConnection, milliseconds: number): void {
    const client = this.#clients.get(caller.client) ?? this.#clientOf(caller.client);
    const connection = connectionOf(client, caller);
    connection.typical = typicalOf(connection.typical, milliseconds);
  }

  /** Takes everything out that waits, in no order. */
  clear(): T[] {
    const tickets = Array.from(this.#waiting, ({ waiting }) => [...waiting]).flat();
    for (const ticket of tickets) this.forget(ticket);
    return tickets.map(({ item }) => item);
  }

  /** Takes something out that is not carried out. */
  forget(ticket: Ticket<T>): void {
    const { connection, client, expected } = ticket;
    connection.used -= expected;
    this.#remove(ticket);
    this.#time.leave(client, 0);
    client.time.leave(connection, 0);
  }

  #expect(ticket: Ticket<T>): void {
    const { kind, connection, client, start, expected: before } = ticket;
    const known = (kind === undefined ? undefined : this.#costs.of(kind)) ?? connection.typical;
    ticket.isUnknown = known === undefined;
    ticket.expected = known ?? Math.max(UNKNOWN_CALL_MS, client.ofUnknown);
    ticket.due = start + SHORTER_FIRST_FACTOR * ticket.expected;
    connection.used += ticket.expected - before;
  }

  #expectAnew(): void {
    for (const { waiting } of this.#waiting) {
      for (const ticket of waiting) this.#expect(ticket);
      waiting.sort((one, other) => one.due - other.due || one.place - other.place);
    }
  }

  #first(): Ticket<T> | undefined {
    let first: Ticket<T> | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { used, waiting } of this.#waiting) {
      const ticket = waiting[0];
      if (ticket === undefined) continue;
      const end = used + ticket.expected;
      if (end > least || (end === least && first !== undefined && first.place < ticket.place)) continue;
      [first, least] = [ticket, end];
    }
    return first;
  }

  #drop(ticket: Ticket<T>): void {
    this.forget(ticket);
    this.#giveUp(ticket.item);
  }

  #remove(ticket: Ticket<T>): void {
    const { waiting } = ticket.client;
    waiting.splice(waiting.indexOf(ticket), 1);
    if (waiting.length === 0) this.#waiting.delete(ticket.client);
    this.#size -= 1;
  }

  #checkRoom(client: ClientShare<T>): void {
    const hasRoom = (): boolean => mayHaveMore(client.waiting.length, 1, this.#size, WAITING_CALLS_MAX);
    if (hasRoom()) return;
    for (const { waiting } of [...this.#waiting]) {
      for (const ticket of waiting.filter(({ caller }) => caller.isGone?.() === true)) this.#drop(ticket);
    }
    if (hasRoom()) return;
    throw new LimitError(
      `${client.waiting.length} calls of this client wait, its share of the limit of ${WAITING_CALLS_MAX}: ` +
        'call again when some are answered',
    );
  }

  /** What a client has had; the one that asked last comes last. */
  #clientOf(name: string): ClientShare<T> {
    const client: ClientShare<T> = this.#clients.get(name) ?? {
      used: 0,
      open: 0,
      ofUnknown: 0,
      time: new SharedTime(),
      connections: new WeakMap(),
      waiting: [],
    };
    this.#clients.delete(name);
    this.#clients.set(name, client);
    if (this.#clients.size > FAIR_CLIENTS_MAX) this.#forgetOldest();
    return client;
  }

  /** Those of whom something is open are kept, and come again as new ones. */
  #forgetOldest(): void {
    for (const [name, { open }] of this.#clients) {
      if (open > 0) continue;
      this.#clients.delete(name);
      return;
    }
  }
}

function connectionOf<T>({ connections }: ClientShare<T>, caller: ClientConnection): ConnectionShare {
  const key = caller.connection ?? caller;
  const known = connections.get(key);
  if (known !== undefined) return known;
  const connection: ConnectionShare = { used: 0, open: 0, typical: undefined };
  connections.set(key, connection);
  return connection;
}

/** Index before which all are due at a time or earlier, and after which all are later. */
function placeOf<T>(due: number, waiting: readonly Ticket<T>[]): number {
  let [low, high] = [0, waiting.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    // The middle lies below the length.
    if ((waiting[middle] as Ticket<T>).due <= due) low = middle + 1;
    else high = middle;
  }
  return low;
}
