import { HELD_SMALL_SHARE, QUICK_BODY_BYTES_MAX, ROOM_WAIT_MS_MAX } from '../limits.ts';
import { LimitError } from './limit-error.ts';

/** Share of the held bytes up to which whole requests, and batches that others came before, may take more. */
const HELD_BEGUN_SHARE = 1 / 2;
/** Share of the held bytes up to which one client may begin anything. */
const HELD_CLIENT_SHARE = 3 / 4;
/** Milliseconds between two looks at who could give way while somebody waits for room. */
const ROOM_CHECK_MS = 250;

/** Kinds of bytes that are held for clients. */
export const HELD_KINDS = [
  /** Requests, as far as they have come. */
  'requests',
  /** What of them is parsed and waits, for its turn or for somebody else. */
  'values',
  /** Answers of batches that are not whole yet. */
  'answers',
  /** Responses that their clients have not taken. */
  'unread',
] as const;
/** What bytes are held for. */
export type HeldKind = (typeof HELD_KINDS)[number];

/** The bytes that are held, by what they are. */
export type HeldBytes = Readonly<Record<HeldKind, number>>;

/** There is no room for more bytes that a client causes. */
export class HeldLimitError extends LimitError {
  /** @param bytesMax bytes that may be held for all clients together */
  constructor(bytesMax: number) {
    super(
      `what the node would hold for its clients exceeds the limit of ${bytesMax} bytes (--max-held): try again later`,
    );
  }
}

/** How much may be held for clients, and what makes room when that is not enough. */
export interface MemoryBudgetOptions {
  /** Bytes that may be held for all clients together. */
  readonly bytesMax: number;
  /** Closes the client that keeps others waiting most, if any may be closed; tells whether it did. */
  reclaim?(except: ConnectionBudget | undefined): boolean;
  /** Milliseconds that a batch waits for room. */
  readonly waitMsMax?: number | undefined;
}

/** What is held for one address. */
interface Client {
  bytes: number;
  connections: number;
}

/** A batch that waits for room. */
interface Waiting {
  readonly connection: ConnectionBudget;
  readonly deadline: number;
  resolve(hasRoom: boolean): void;
}

/**
 * Counts all bytes that clients cause, whatever they are, so that together they fit beside the node itself.
 *
 * What has begun is finished first. Up to a half of the bound everybody may take more. From there on only the batch
 * that began first does, and who holds little; other batches wait until there is room, or are refused the rest after
 * a while. Single requests, whose responses come in one piece, are refused when the bound is reached, or when their
 * client alone has most of it. What has been made is counted even beyond the bound: nothing else begins then.
 */
export class MemoryBudget {
  /** The error for what finds no room. */
  readonly refusal: LimitError;
  readonly #options: MemoryBudgetOptions;
  readonly #held: Record<HeldKind, number> = { requests: 0, values: 0, answers: 0, unread: 0 };
  readonly #clients = new Map<string, Client>();
  /** Those with a batch at work, in the order in which the batches began. */
  readonly #batches = new Set<ConnectionBudget>();
  readonly #waiting = new Set<Waiting>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
    this.refusal = new HeldLimitError(options.bytesMax);
  }

  /** The bytes that are held now. */
  get held(): HeldBytes {
    return this.#held;
  }

  /** Opens the budget of a connection; it has to be closed. @param client its address */
  open(client: string): ConnectionBudget {
    const known = this.#clients.get(client);
    const entry = known ?? { bytes: 0, connections: 0 };
    if (known === undefined) this.#clients.set(client, entry);
    entry.connections += 1;
    return new ConnectionBudget(this, entry, () => {
      entry.connections -= 1;
      if (entry.connections === 0) this.#clients.delete(client);
    });
  }

  /** Counts bytes, which may be less than nothing. Only connection budgets call this. */
  add(client: Client, kind: HeldKind, bytes: number): void {
    this.#held[kind] += bytes;
    this.#bytes += bytes;
    client.bytes += bytes;
    if (bytes < 0 && this.#waiting.size > 0) this.#wake();
  }

  /** Whether so many bytes of a request may be kept; makes room for them by closing those who are slower. */
  hasRoomForRequest(connection: ConnectionBudget, bytes: number): boolean {
    if (connection.bytes + bytes <= QUICK_BODY_BYTES_MAX) return true;
    do if (this.#fits(connection, bytes, HELD_BEGUN_SHARE)) return true;
    while (this.#reclaim(connection));
    return false;
  }

  /** Closes those who are slow where more is held than may be. */
  makeRoom(except?: ConnectionBudget): void {
    while (this.#bytes > this.#options.bytesMax) if (!this.#reclaim(except)) return;
  }

  /** Whether a request of a client may be worked on whose response may be long. */
  mayBegin(connection: ConnectionBudget): boolean {
    return this.#batches.has(connection) || this.hasRoom(connection, 0);
  }

  /** Returns true if so many more bytes fit; makes room for them by closing those who are slow. */
  hasRoom(connection: ConnectionBudget, bytes: number): boolean {
    const { bytesMax } = this.#options;
    const isFull = (): boolean =>
      this.#bytes + bytes > bytesMax || connection.client.bytes + bytes > bytesMax * HELD_CLIENT_SHARE;
    while (isFull()) if (!this.#reclaim(connection)) return false;
    return true;
  }

  beginBatch(connection: ConnectionBudget): void {
    this.#batches.add(connection);
  }

  endBatch(connection: ConnectionBudget): void {
    if (this.#batches.delete(connection) && this.#waiting.size > 0) this.#wake();
  }

  /** Whether a batch may work on its next request. */
  mayGoOn(connection: ConnectionBudget): boolean {
    if (this.#fits(connection, 0, HELD_BEGUN_SHARE)) return true;
    const [eldest] = this.#batches;
    // What is left is for those who ask for little.
    return connection === eldest && this.#bytes <= this.#options.bytesMax * (1 - HELD_SMALL_SHARE);
  }

  /** Waits until a batch may go on; false after too long, and when its budget is closed. */
  waitForRoom(connection: ConnectionBudget, since: number): Promise<boolean> {
    const { waitMsMax = ROOM_WAIT_MS_MAX } = this.#options;
    const [eldest] = this.#batches;
    // All others wait for it, and it would wait for nobody.
    if (connection === eldest && this.#held.unread === 0) return Promise.resolve(this.mayGoOn(connection));
    this.#timer ??= setInterval(() => this.#check(), ROOM_CHECK_MS);
    const deadline = since + waitMsMax;
    return new Promise((resolve) => this.#waiting.add({ connection, deadline, resolve }));
  }

  /** Ends the waiting of a lost client. */
  giveUp(connection: ConnectionBudget): void {
    this.#settle((waiting) => (waiting.connection === connection ? false : undefined));
    this.endBatch(connection);
  }

  /** Whether so many more bytes fit into a share of the bound, or are few for who holds little. */
  #fits({ client }: ConnectionBudget, bytes: number, share: number): boolean {
    const { bytesMax } = this.#options;
    const total = this.#bytes + bytes;
    if (total <= bytesMax * share) return true;
    return total <= bytesMax && client.bytes + bytes <= bytesMax * HELD_SMALL_SHARE;
  }

  #reclaim(except?: ConnectionBudget): boolean {
    return this.#options.reclaim?.(except) ?? false;
  }

  /** Wakes those who may go on now; each looks again before each of its requests. */
  #wake(): void {
    this.#settle(({ connection }) => (this.mayGoOn(connection) ? true : undefined));
  }

  #check(): void {
    this.makeRoom();
    const now = performance.now();
    this.#settle(({ connection, deadline }) => {
      if (this.mayGoOn(connection)) return true;
      return now >= deadline ? false : undefined;
    });
  }

  /** Tells those who wait what is decided, if anything. */
  #settle(decide: (waiting: Waiting) => boolean | undefined): void {
    for (const waiting of this.#waiting) {
      const decision = decide(waiting);
      if (decision === undefined) continue;
      this.#waiting.delete(waiting);
      waiting.resolve(decision);
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** What is held for one connection. */
export class ConnectionBudget {
  readonly client: Client;
  readonly #budget: MemoryBudget;
  readonly #onClosed: () => void;
  readonly #held: Record<HeldKind, number> = { requests: 0, values: 0, answers: 0, unread: 0 };
  #bytes = 0;
  #isClosed = false;

  /** Opened by `MemoryBudget.open`. */
  constructor(budget: MemoryBudget, client: Client, onClosed: () => void) {
    this.#budget = budget;
    this.client = client;
    this.#onClosed = onClosed;
  }

  /** Bytes that are held for it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The error for what finds no room. */
  get refusal(): LimitError {
    return this.#budget.refusal;
  }

  /** Counts bytes that are held from now on. */
  hold(kind: HeldKind, bytes: number): void {
    if (this.#isClosed) return;
    this.#held[kind] += bytes;
    this.#bytes += bytes;
    this.#budget.add(this.client, kind, bytes);
  }

  /** What is held of a kind, or so many bytes of it, is not needed any more. */
  release(kind: HeldKind, bytes = this.#held[kind]): void {
    if (bytes > 0) this.hold(kind, -bytes);
  }

  /** Counts bytes of a request that is coming; false where there is no room for them. */
  holdRequest(bytes: number): boolean {
    if (!this.#budget.hasRoomForRequest(this, bytes)) return false;
    this.hold('requests', bytes);
    return true;
  }

  /** Counts bytes of a response that its client has to take; where all are too many, slower ones are closed. */
  holdUnread(bytes: number): void {
    this.hold('unread', bytes);
    this.#budget.makeRoom(this);
  }

  /** Whether a request may be worked on whose response may be long; always within a batch, which asks by itself. */
  mayBegin(): boolean {
    return this.#budget.mayBegin(this);
  }

  /** Begins work that holds bytes of its own: `hold` counts as many in place of those before, or throws the refusal. */
  beginWork(): { hold(bytes: number): void } {
    let held = 0;
    return {
      hold: (bytes) => {
        if (bytes > held && !this.#budget.hasRoom(this, bytes - held)) throw this.refusal;
        this.hold('values', bytes - held);
        held = bytes;
      },
    };
  }

  /** A batch is worked on from now on. */
  beginBatch(): void {
    if (!this.#isClosed) this.#budget.beginBatch(this);
  }

  /** The batch is answered. */
  endBatch(): void {
    this.#budget.endBatch(this);
  }

  /** Whether the batch may work on its next request. */
  mayGoOn(): boolean {
    return this.#budget.mayGoOn(this);
  }

  /**
   * Waits until the batch may go on; false after too long.
   *
   * @param since when it began to wait, by `performance.now()`
   */
  waitForRoom(since: number): Promise<boolean> {
    return this.#isClosed ? Promise.resolve(false) : this.#budget.waitForRoom(this, since);
  }

  /** The connection is gone. */
  close(): void {
    if (this.#isClosed) return;
    for (const kind of HELD_KINDS) this.release(kind);
    this.#isClosed = true;
    this.#budget.giveUp(this);
    this.#onClosed();
  }
}
