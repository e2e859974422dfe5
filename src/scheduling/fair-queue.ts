import { BoundedMap } from '../caching/bounded-map.ts';
import { type ClientConnection, LimitError } from './memory-budget.ts';

/** Calls in the queue of the scheduler, and in that of the workers. */
export const QUEUED_CALLS_MAX = 4_096;
/** Clients without a queued task whose used shares are remembered. */
export const FAIR_CLIENTS_MAX = 4_096;
/** Kinds of calls whose costs are remembered. */
const CALL_COSTS_MAX = 4_096;

/** Factor by which an expected cost decays after a cheaper call. */
const REMEMBERED_SHARE = 0.9;
/** Characters of a selector with its 0x. */
const SELECTOR_CHARACTERS = 10;
/** Characters of an address or a topic. */
const NAME_CHARACTERS = 66;

/** The parts of a call that determine its cost. */
export interface CostedCall {
  readonly method: string;
  readonly parameters: unknown;
}

/** The recent costs of calls by kind: the same method, contract and function, or filter criteria. */
export class CallCosts {
  readonly #milliseconds = new BoundedMap<string, number>(CALL_COSTS_MAX);

  /** Returns the expected milliseconds of a call; undefined for an unknown kind. */
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

/** Returns the kind of a call: calls of one kind have a similar cost. */
export function kindOf({ method, parameters }: CostedCall): string {
  const [first] = Array.isArray(parameters) ? parameters : [];
  if (typeof first !== 'object' || first === null) return method;
  const { to, data, input, address, topics, fromBlock } = first as Record<string, unknown>;
  const selector = nameOf(data ?? input).slice(0, SELECTOR_CHARACTERS);
  return `${method} ${nameOf(to ?? address)} ${selector} ${nameOf(topics)} ${nameOf(fromBlock)}`;
}

/** Returns the beginning of a text, or of the first text of a list. */
function nameOf(value: unknown): string {
  const [text] = Array.isArray(value) ? value.flat() : [value];
  return typeof text === 'string' ? text.slice(0, NAME_CHARACTERS) : '';
}

/** Expected milliseconds of a call of an unknown kind and client. */
const UNKNOWN_CALL_MS = 5;

/** Milliseconds of a short task: the bound of the first rank; each further one is ten times as long. */
const SHORT_MS = 2;
/** Expected durations by which shorter tasks may delay a task: more than one, since estimates may be wrong. */
const SHORTER_FIRST_FACTOR = 4;
/** Factor by which the estimate for unknown calls decays after another call of the client. */
const UNKNOWN_SHARE = 0.5;

/** The properties of a task that are known before it runs. */
export interface TaskOrigin {
  readonly caller: ClientConnection;
  /** The call; absent for other tasks, such as a part of a batch. */
  readonly call?: CostedCall | undefined;
  /** True for the rest of a begun task, which is not refused. */
  readonly isBegun?: boolean | undefined;
}

/** A queued or begun item. */
export interface Ticket<T> {
  readonly item: T;
  readonly caller: ClientConnection;
  /** The kind of the call; undefined for other tasks. */
  readonly kind: string | undefined;
  /** Expected milliseconds. */
  expected: number;
  /** True if neither its kind nor its connection is known. */
  isUnknown: boolean;
  /** Round of its client in which it is the turn of its connection. */
  readonly round: number;
  /** Magnitude of the expected time; lesser ones of the client run first. */
  rank: number;
  /** Milliseconds of shorter tasks that overtook it. */
  overtakenMs: number;
  /** Position in the order of arrival. */
  readonly sequence: number;
  readonly connection: ConnectionShare;
  readonly client: ClientShare<T>;
}

interface ConnectionShare {
  /** Typical milliseconds of a task; undefined before the first one. */
  typical: number | undefined;
  /** Number of queued tasks, and the round of the last one. */
  queued: number;
  round: number;
}

/** A client's share of the thread's time. */
interface ClientShare<T> {
  /** Virtual time up to which the share is used. */
  used: number;
  /** Number of queued and running tasks. */
  open: number;
  /** Estimated milliseconds of its unknown calls. */
  ofUnknown: number;
  /** Round of the task that began last. */
  round: number;
  readonly connections: WeakMap<object, ConnectionShare>;
  /** In the order in which they run. */
  readonly queue: Ticket<T>[];
}

/**
 * The virtual time of start-time fair queueing: the time that each client would have used by now if all open ones had
 * been served concurrently. A new client starts at it: it has no claim to earlier time, and overtakes no queued task.
 */
class SharedTime {
  #now = 0;
  #open = 0;

  enter(share: ClientShare<unknown>): void {
    if (share.open === 0) {
      this.#open += 1;
      share.used = Math.max(share.used, this.#now);
    }
    share.open += 1;
  }

  leave(share: ClientShare<unknown>, milliseconds: number): void {
    this.#now += milliseconds / this.#open;
    share.open -= 1;
    if (share.open === 0) this.#open -= 1;
  }
}

/**
 * A fair queue of tasks. The next task belongs to the client that has used least of its share. A client is an address, so
 * that many connections get no more than one. Its connections take turns, whatever their earlier tasks took: a task that
 * garbage collection has prolonged would else delay its connection for as long as all others have theirs. A task that is
 * expected to take less by a magnitude overtakes others of the client: so short calls run soon among long ones, even of
 * the same address. One that was overtaken for a few times its expected duration is the next one of its client.
 */
export class FairQueue<T> {
  readonly #costs: CallCosts;
  readonly #time = new SharedTime();
  /** Clients in the order of their last requests. */
  readonly #clients = new Map<string, ClientShare<T>>();
  /** Clients with queued tasks. */
  readonly #queued = new Set<ClientShare<T>>();
  readonly #onDropped: (item: T) => void;
  #size = 0;
  #arrivals = 0;

  /** @param onDropped receives each item that is dropped because its client has disconnected */
  constructor(costs: CallCosts, onDropped: (item: T) => void) {
    this.#costs = costs;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#size;
  }

  /** Queues an item. @throws LimitError if too many of the client, or too many in all, are queued */
  push({ caller, call, isBegun }: TaskOrigin, item: T): void {
    const client = this.#clientOf(caller.client);
    if (isBegun !== true) this.#requireCapacity(client);
    const connection = connectionOf(client, caller);
    const kind = call === undefined ? undefined : kindOf(call);
    this.#time.enter(client);
    this.#arrivals += 1;
    const round = Math.max(client.round, connection.queued === 0 ? 0 : connection.round + 1);
    connection.round = round;
    connection.queued += 1;
    const ticket: Ticket<T> = {
      item,
      caller,
      kind,
      connection,
      client,
      round,
      expected: 0,
      rank: 0,
      overtakenMs: 0,
      sequence: this.#arrivals,
      isUnknown: true,
    };
    this.#estimate(ticket);
    client.queue.splice(positionOf(ticket, client.queue), 0, ticket);
    this.#queued.add(client);
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

  /** Removes an item from the queue to run it. */
  begin(ticket: Ticket<T>): void {
    const { client, expected } = ticket;
    client.used += expected;
    client.round = Math.max(client.round, ticket.round);
    this.#dequeue(ticket);
    if (!isOvertaken(ticket)) return;
    // The others that were overtaken meanwhile do not all follow at once.
    for (const other of client.queue) {
      other.overtakenMs = Math.max(0, other.overtakenMs - SHORTER_FIRST_FACTOR * expected);
    }
  }

  /** Notes the duration of a begun item, by which others are estimated. */
  end(ticket: Ticket<T>, milliseconds: number): void {
    const { connection, client, expected, kind, rank, isUnknown } = ticket;
    client.used += milliseconds - expected;
    for (const other of client.queue) {
      if (other.rank > ticket.rank && inTurn(other, ticket) < 0) other.overtakenMs += milliseconds;
    }
    this.#time.leave(client, milliseconds);
    client.ofUnknown = Math.max(isUnknown ? milliseconds : 0, client.ofUnknown * UNKNOWN_SHARE);
    connection.typical = typicalOf(connection.typical, milliseconds);
    if (kind !== undefined) this.#costs.note(kind, milliseconds);
    this.#estimate(ticket);
    // Queued calls of one kind have one rank, so that a later one does not overtake them.
    if (isUnknown || ticket.rank !== rank) this.#estimateAgain();
  }

  /** Notes the duration of a task that was not queued. */
  note(caller: ClientConnection, milliseconds: number): void {
    const client = this.#clients.get(caller.client) ?? this.#clientOf(caller.client);
    const connection = connectionOf(client, caller);
    connection.typical = typicalOf(connection.typical, milliseconds);
  }

  /** Removes and returns all items, in no order. */
  clear(): T[] {
    const tickets = Array.from(this.#queued, ({ queue }) => [...queue]).flat();
    for (const ticket of tickets) this.remove(ticket);
    return tickets.map(({ item }) => item);
  }

  /** Removes an item that does not run. */
  remove(ticket: Ticket<T>): void {
    this.#dequeue(ticket);
    this.#time.leave(ticket.client, 0);
  }

  #estimate(ticket: Ticket<T>): void {
    const { kind, connection, client } = ticket;
    const known = (kind === undefined ? undefined : this.#costs.of(kind)) ?? connection.typical;
    ticket.isUnknown = known === undefined;
    ticket.expected = known ?? Math.max(UNKNOWN_CALL_MS, client.ofUnknown);
    ticket.rank = Math.max(0, Math.ceil(Math.log10(ticket.expected / SHORT_MS)));
  }

  #estimateAgain(): void {
    for (const { queue } of this.#queued) {
      for (const ticket of queue) this.#estimate(ticket);
      queue.sort(inOrder);
    }
  }

  #first(): Ticket<T> | undefined {
    let first: Ticket<T> | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { used, queue } of this.#queued) {
      const ticket = queue.find(isOvertaken) ?? queue[0];
      if (ticket === undefined) continue;
      const end = used + ticket.expected;
      if (end > least || (end === least && first !== undefined && first.sequence < ticket.sequence)) continue;
      first = ticket;
      least = end;
    }
    return first;
  }

  #drop(ticket: Ticket<T>): void {
    this.remove(ticket);
    this.#onDropped(ticket.item);
  }

  #dequeue(ticket: Ticket<T>): void {
    const { queue } = ticket.client;
    ticket.connection.queued -= 1;
    queue.splice(queue.indexOf(ticket), 1);
    if (queue.length === 0) this.#queued.delete(ticket.client);
    this.#size -= 1;
  }

  #requireCapacity(client: ClientShare<T>): void {
    const hasCapacity = () => isWithinFairShare(client.queue.length, 1, this.#size, QUEUED_CALLS_MAX);
    if (hasCapacity()) return;
    for (const { queue } of [...this.#queued]) {
      for (const ticket of queue.filter(({ caller }) => caller.isGone?.() === true)) this.#drop(ticket);
    }
    if (hasCapacity()) return;
    throw new LimitError(
      `${client.queue.length} calls of this client wait, its share of the limit of ${QUEUED_CALLS_MAX}: ` +
        'call again when some are answered',
    );
  }

  /** Returns the share of a client, and moves it to the end of the map. */
  #clientOf(name: string): ClientShare<T> {
    const client: ClientShare<T> = this.#clients.get(name) ?? {
      used: 0,
      open: 0,
      ofUnknown: 0,
      round: 0,
      connections: new WeakMap(),
      queue: [],
    };
    this.#clients.delete(name);
    this.#clients.set(name, client);
    if (this.#clients.size > FAIR_CLIENTS_MAX) this.#removeOldest();
    return client;
  }

  /** Removes the oldest client without an open task. */
  #removeOldest(): void {
    for (const [name, { open }] of this.#clients) {
      if (open > 0) continue;
      this.#clients.delete(name);
      return;
    }
  }
}

/** Returns true if shorter tasks may overtake a task no more. */
function isOvertaken<T>({ expected, overtakenMs }: Ticket<T>): boolean {
  return overtakenMs > 0 && overtakenMs >= SHORTER_FIRST_FACTOR * expected;
}

function connectionOf<T>({ connections }: ClientShare<T>, caller: ClientConnection): ConnectionShare {
  const key = caller.connection ?? caller;
  const known = connections.get(key);
  if (known !== undefined) return known;
  const connection: ConnectionShare = { typical: undefined, queued: 0, round: 0 };
  connections.set(key, connection);
  return connection;
}

/**
 * Returns true if a client that holds so many entries of a table may add so many more: as many must remain for all
 * others. So the first client gets half of the table, each further one half of the rest, and none takes the last ones.
 */
export function isWithinFairShare(held: number, more: number, heldByAll: number, most: number): boolean {
  return held + more <= most - heldByAll - more;
}

/** Compares tickets of a client by the turns of their connections. */
function inTurn<T>(one: Ticket<T>, other: Ticket<T>): number {
  return one.round - other.round || one.sequence - other.sequence;
}

/** Compares tickets of a client by the order in which they run. */
function inOrder<T>(one: Ticket<T>, other: Ticket<T>): number {
  return one.rank - other.rank || inTurn(one, other);
}

/** Returns the index of a new ticket in a queue. */
function positionOf<T>(ticket: Ticket<T>, queue: readonly Ticket<T>[]): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // The middle is less than the length.
    if (inOrder(queue[middle] as Ticket<T>, ticket) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
