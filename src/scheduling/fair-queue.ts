import { BoundedMap } from '../bounded-map.ts';
import { CALL_COSTS_MAX, FAIR_CLIENTS_MAX, QUEUED_CALLS_MAX } from '../limits.ts';
import { type ClientConnection, LimitError } from './memory-budget.ts';

/** Share of an earlier cost that counts after a cheaper call. */
const REMEMBERED_SHARE = 0.9;
/** Characters of a selector with its 0x. */
const SELECTOR_CHARACTERS = 10;
/** Characters of an address or a topic. */
const NAME_CHARACTERS = 66;

/** The part of a call that decides its cost. */
export interface CostedCall {
  readonly method: string;
  readonly parameters: unknown;
}

/** The recent cost of calls by kind: a method with the same contract and function, or criteria. */
export class CallCosts {
  readonly #milliseconds = new BoundedMap<string, number>(CALL_COSTS_MAX);

  /** Returns the milliseconds that a call of a kind is expected to take; undefined for an unknown one. */
  of(kind: string): number | undefined {
    return this.#milliseconds.get(kind);
  }

  note(kind: string, milliseconds: number): void {
    this.#milliseconds.set(kind, typicalOf(this.#milliseconds.get(kind), milliseconds));
  }
}

/** Returns the cost to expect after a call: a greater one counts at once, a smaller one gradually. */
function typicalOf(before: number | undefined, milliseconds: number): number {
  return Math.max(milliseconds, (before ?? 0) * REMEMBERED_SHARE);
}

/** Returns the kind of a call, whose calls cost about the same. */
export function kindOf({ method, parameters }: CostedCall): string {
  const [first] = Array.isArray(parameters) ? parameters : [];
  if (typeof first !== 'object' || first === null) return method;
  const { to, data, input, address, topics, fromBlock } = first as Record<string, unknown>;
  const selector = nameOf(data ?? input).slice(0, SELECTOR_CHARACTERS);
  return `${method} ${nameOf(to ?? address)} ${selector} ${nameOf(topics)} ${nameOf(fromBlock)}`;
}

/** Returns the beginning of a text, or of the first one of a list. */
function nameOf(value: unknown): string {
  const [text] = Array.isArray(value) ? value.flat() : [value];
  return typeof text === 'string' ? text.slice(0, NAME_CHARACTERS) : '';
}

/** Milliseconds that are expected of a call of an unknown kind and client. */
const UNKNOWN_CALL_MS = 5;

/** Times its part that a task waits for shorter ones of its client: more than once, since expectations may be wrong. */
const SHORTER_FIRST_FACTOR = 4;
/** Share of the time of an unknown call that counts after another call of its client. */
const UNKNOWN_SHARE = 0.5;
/** Milliseconds beyond the expected ones after which those of others are estimated anew. */
const SURPRISE_MS = 10;

/** The origin of a task: all that is known of it before it runs. */
export interface TaskOrigin {
  readonly caller: ClientConnection;
  /** Absent if it is no single call, such as a part of a batch. */
  readonly call?: CostedCall | undefined;
  /** True for the rest of a task that has begun, which is not refused. */
  readonly isBegun?: boolean | undefined;
}

/** An item that is queued, or was begun. */
export interface Ticket<T> {
  readonly item: T;
  readonly caller: ClientConnection;
  /** The name of its kind of calls; undefined if it is no call. */
  readonly kind: string | undefined;
  /** Milliseconds that it is expected to take. */
  expected: number;
  /** True if neither its kind nor its connection is known. */
  isUnknown: boolean;
  /** Start by the time of its client, as if all connections of the client were served side by side. */
  readonly start: number;
  /** Time until which shorter tasks go before it. */
  due: number;
  /** Position in the order of arrival. */
  readonly place: number;
  readonly connection: ConnectionShare;
  readonly client: ClientShare<T>;
}

/** One part of a shared time. */
interface Share {
  /** Time up to which the part is used. */
  used: number;
  /** Number of its queued and running tasks. */
  open: number;
}

interface ConnectionShare extends Share {
  /** Typical milliseconds of its tasks; undefined before the first one. */
  typical: number | undefined;
}

interface ClientShare<T> extends Share {
  /** Milliseconds of its recent unknown calls. */
  ofUnknown: number;
  readonly time: SharedTime;
  readonly connections: WeakMap<object, ConnectionShare>;
  /** By `due`. */
  readonly waiting: Ticket<T>[];
}

/**
 * The virtual time of fair queueing by start times: what each part would have used by now if all open ones had been
 * served side by side. A new part begins there: it has no claim to earlier time, and overtakes none that waits.
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
 * A fair queue of tasks. The next one is of the client that has used least of its part, and of its connections
 * likewise. A client is an address, so that many connections get no more than one, and a new connection has no
 * advantage. A task that is expected to be short goes before long ones, but delays each by a few times its part at
 * most: short calls are served at once among long ones, even at the same address.
 */
export class FairQueue<T> {
  readonly #costs: CallCosts;
  readonly #time = new SharedTime();
  /** By their last requests. */
  readonly #clients = new Map<string, ClientShare<T>>();
  readonly #waiting = new Set<ClientShare<T>>();
  readonly #giveUp: (item: T) => void;
  #size = 0;
  #come = 0;

  /** @param giveUp called with each item that is dropped because its caller is gone */
  constructor(costs: CallCosts, giveUp: (item: T) => void) {
    this.#costs = costs;
    this.#giveUp = giveUp;
  }

  get size(): number {
    return this.#size;
  }

  /** Queues an item. @throws LimitError if too many of the client, or too many in all, are queued */
  push({ caller, call, isBegun }: TaskOrigin, item: T): void {
    const client = this.#clientOf(caller.client);
    if (isBegun !== true) this.#checkRoom(client);
    const connection = connectionOf(client, caller);
    const kind = call === undefined ? undefined : kindOf(call);
    this.#time.enter(client);
    client.time.enter(connection);
    this.#come += 1;
    const [place, start] = [this.#come, connection.used];
    const of = { item, caller, kind, connection, client };
    const ticket = { ...of, expected: 0, start, due: start, place, isUnknown: true };
    this.#expect(ticket);
    client.waiting.splice(placeOf(ticket.due, client.waiting), 0, ticket);
    this.#waiting.add(client);
    this.#size += 1;
  }

  /** Returns the next item, which stays queued until it is begun. */
  next(): Ticket<T> | undefined {
    for (;;) {
      const first = this.#first();
      if (first?.caller.isGone?.() !== true) return first;
      this.#drop(first);
    }
  }

  /** Takes the next item out of the queue. */
  begin(ticket: Ticket<T>): void {
    ticket.client.used += ticket.expected;
    this.#remove(ticket);
  }

  /** Notes how long a begun item has taken; queued ones may be expected to take longer then. */
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

  /** Notes a task that did not have to wait. */
  note(caller: ClientConnection, milliseconds: number): void {
    const client = this.#clients.get(caller.client) ?? this.#clientOf(caller.client);
    const connection = connectionOf(client, caller);
    connection.typical = typicalOf(connection.typical, milliseconds);
  }

  /** Takes all items out, in no order. */
  clear(): T[] {
    const tickets = Array.from(this.#waiting, ({ waiting }) => [...waiting]).flat();
    for (const ticket of tickets) this.forget(ticket);
    return tickets.map(({ item }) => item);
  }

  /** Takes an item out that does not run. */
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
    const hasRoom = (): boolean => isWithinFairShare(client.waiting.length, 1, this.#size, QUEUED_CALLS_MAX);
    if (hasRoom()) return;
    for (const { waiting } of [...this.#waiting]) {
      for (const ticket of waiting.filter(({ caller }) => caller.isGone?.() === true)) this.#drop(ticket);
    }
    if (hasRoom()) return;
    throw new LimitError(
      `${client.waiting.length} calls of this client wait, its share of the limit of ${QUEUED_CALLS_MAX}: ` +
        'call again when some are answered',
    );
  }

  /** Returns the part of a client, which is the last one of the map then. */
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

  /** Forgets the oldest client without an open task. */
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

/**
 * Returns true if a client that holds so many places of a table may have so many more: as many as are left for all
 * others then. So alone it gets half, each further one half of the rest, and no client takes the last ones.
 */
export function isWithinFairShare(held: number, more: number, heldByAll: number, most: number): boolean {
  return held + more <= most - heldByAll - more;
}

/** Returns the index behind all tickets that are due at a time or earlier. */
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
