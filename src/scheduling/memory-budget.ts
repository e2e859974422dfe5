import { HELD_SMALL_SHARE, MEMORY_WAIT_MS_MAX, QUICK_BODY_BYTES_MAX } from '../limits.ts';
import { LedgerdError } from '../protocol/index.ts';

/** A connection whose client requests work: one object for each, or for each of its messages. */
export interface ClientConnection {
  /** The client that the connection is counted with: the same for all connections of an address. */
  readonly client: string;
  /** Returns true if no response can reach the client any more: what has not begun is not run then. */
  isGone?(): boolean;
  /** The connection, for fair queueing, where there is a caller for each message. Absent: the caller itself. */
  readonly connection?: object | undefined;
  /** Memory held for the connection; absent: not counted. */
  readonly budget?: ConnectionBudget | undefined;
}

/** A bound of the node was exceeded; the message names the bound and its value. */
export class LimitError extends LedgerdError {
  override readonly code = 'LIMIT';
  /** The code of its error object in JSON-RPC. */
  readonly rpcCode = -32005;
}

/** Share of the held bytes up to which whole requests, and batches that others came before, may take more. */
const HELD_BEGUN_SHARE = 1 / 2;
/** Share of the held bytes up to which one client may begin anything. */
const HELD_CLIENT_SHARE = 3 / 4;
/** Milliseconds between two checks for room while a batch waits for it. */
const ROOM_CHECK_MS = 250;

/** Kinds of bytes that are held for clients. */
export const HELD_KINDS = [
  /** Requests, as far as they have come. */
  'requests',
  /** Parsed requests that are queued. */
  'values',
  /** Responses of unfinished batches. */
  'answers',
  /** Responses that their clients have not read. */
  'unread',
] as const;
type HeldKind = (typeof HELD_KINDS)[number];

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

/** The bound of held bytes, and the way to make room. */
export interface MemoryBudgetOptions {
  /** Bytes that may be held for all clients together. */
  readonly bytesMax: number;
  /** Closes the client that keeps others waiting most; returns false if none may be closed. */
  reclaim?(except: ConnectionBudget | undefined): boolean;
  /** Milliseconds that a batch waits for room. */
  readonly waitMsMax?: number | undefined;
}

/** The held bytes of one address. */
interface Client {
  bytes: number;
  connections: number;
}

/** A batch that waits for room. */
interface WaitingBatch {
  readonly connection: ConnectionBudget;
  readonly deadline: number;
  resolve(hasRoom: boolean): void;
}

/**
 * Counts all bytes that clients cause, so that they fit beside the node itself.
 *
 * Begun work is finished first. Up to a half of the bound everybody may take more. Beyond it only the batch that began
 * first does, and clients that hold little; other batches wait for room, and are refused the rest after a while. Single
 * requests are refused when the bound is reached, or when their client alone has most of it. Finished responses are
 * counted even beyond the bound: nothing else begins then.
 */
export class MemoryBudget {
  /** The error for requests without room. */
  readonly refusal: LimitError;
  readonly #options: MemoryBudgetOptions;
  readonly #held: Record<HeldKind, number> = { requests: 0, values: 0, answers: 0, unread: 0 };
  readonly #clients = new Map<string, Client>();
  /** Connections with a running batch, by its beginning. */
  readonly #batches = new Set<ConnectionBudget>();
  readonly #waiting = new Set<WaitingBatch>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
    this.refusal = new HeldLimitError(options.bytesMax);
  }

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

  /** Counts bytes, also negative ones. Only connection budgets call this. */
  add(client: Client, kind: HeldKind, bytes: number): void {
    this.#held[kind] += bytes;
    this.#bytes += bytes;
    client.bytes += bytes;
    if (bytes < 0 && this.#waiting.size > 0) this.#wake();
  }

  /** Returns true if so many bytes of a request fit; makes room for them by closing slower clients. */
  hasRoomForRequest(connection: ConnectionBudget, bytes: number): boolean {
    if (connection.bytes + bytes <= QUICK_BODY_BYTES_MAX) return true;
    do if (this.#fits(connection, bytes, HELD_BEGUN_SHARE)) return true;
    while (this.#reclaim(connection));
    return false;
  }

  /** Closes slow clients while more than the bound is held. */
  makeRoom(except?: ConnectionBudget): void {
    while (this.#bytes > this.#options.bytesMax) if (!this.#reclaim(except)) return;
  }

  /** Returns true if a request may begin whose response may be long. */
  mayBegin(connection: ConnectionBudget): boolean {
    return this.#batches.has(connection) || this.hasRoom(connection, 0);
  }

  /** Returns true if so many more bytes fit; makes room for them by closing slow clients. */
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

  /** Returns true if a batch may begin its next request. */
  mayContinue(connection: ConnectionBudget): boolean {
    if (this.#fits(connection, 0, HELD_BEGUN_SHARE)) return true;
    const [eldest] = this.#batches;
    // The rest is for small requests.
    return connection === eldest && this.#bytes <= this.#options.bytesMax * (1 - HELD_SMALL_SHARE);
  }

  /** Waits until a batch may continue; false after too long, and when its budget is closed. */
  waitForMemory(connection: ConnectionBudget, since: number): Promise<boolean> {
    const { waitMsMax = MEMORY_WAIT_MS_MAX } = this.#options;
    const [eldest] = this.#batches;
    // All others wait for this one.
    if (connection === eldest && this.#held.unread === 0)
      return Promise.resolve(this.mayContinue(connection));
    this.#timer ??= setInterval(() => this.#check(), ROOM_CHECK_MS);
    const deadline = since + waitMsMax;
    return new Promise((resolve) => this.#waiting.add({ connection, deadline, resolve }));
  }

  /** Ends the wait of a lost client. */
  giveUp(connection: ConnectionBudget): void {
    this.#settle((waiting) => (waiting.connection === connection ? false : undefined));
    this.endBatch(connection);
  }

  /** Returns true if so many more bytes fit into a share of the bound, or the client holds little with them. */
  #fits({ client }: ConnectionBudget, bytes: number, share: number): boolean {
    const { bytesMax } = this.#options;
    const total = this.#bytes + bytes;
    if (total <= bytesMax * share) return true;
    return total <= bytesMax && client.bytes + bytes <= bytesMax * HELD_SMALL_SHARE;
  }

  #reclaim(except?: ConnectionBudget): boolean {
    return this.#options.reclaim?.(except) ?? false;
  }

  /** Wakes batches that may continue; each checks again before each of its requests. */
  #wake(): void {
    this.#settle(({ connection }) => (this.mayContinue(connection) ? true : undefined));
  }

  #check(): void {
    this.makeRoom();
    const now = performance.now();
    this.#settle(({ connection, deadline }) => {
      if (this.mayContinue(connection)) return true;
      return now >= deadline ? false : undefined;
    });
  }

  #settle(decide: (waiting: WaitingBatch) => boolean | undefined): void {
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

/** The held bytes of one connection. */
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

  get bytes(): number {
    return this.#bytes;
  }

  get refusal(): LimitError {
    return this.#budget.refusal;
  }

  hold(kind: HeldKind, bytes: number): void {
    if (this.#isClosed) return;
    this.#held[kind] += bytes;
    this.#bytes += bytes;
    this.#budget.add(this.client, kind, bytes);
  }

  /** Releases all bytes of a kind, or so many. */
  release(kind: HeldKind, bytes = this.#held[kind]): void {
    if (bytes > 0) this.hold(kind, -bytes);
  }

  /** Counts received bytes of a request; false if there is no room for them. */
  holdRequest(bytes: number): boolean {
    if (!this.#budget.hasRoomForRequest(this, bytes)) return false;
    this.hold('requests', bytes);
    return true;
  }

  /** Counts bytes of a response for its client to read; closes slower clients if these are too many. */
  holdUnread(bytes: number): void {
    this.hold('unread', bytes);
    this.#budget.makeRoom(this);
  }

  /** Returns true if a request may begin whose response may be long; always within a batch, which checks itself. */
  mayBegin(): boolean {
    return this.#budget.mayBegin(this);
  }

  /** Begins work with its own bytes: `hold` counts them in place of those before, or throws the refusal. */
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

  beginBatch(): void {
    if (!this.#isClosed) this.#budget.beginBatch(this);
  }

  endBatch(): void {
    this.#budget.endBatch(this);
  }

  /** Returns true if the batch may begin its next request. */
  mayContinue(): boolean {
    return this.#budget.mayContinue(this);
  }

  /** Waits until the batch may continue; false after too long. @param since its begin, by `performance.now()` */
  waitForMemory(since: number): Promise<boolean> {
    return this.#isClosed ? Promise.resolve(false) : this.#budget.waitForMemory(this, since);
  }

  /** Releases all, when the connection is gone. */
  close(): void {
    if (this.#isClosed) return;
    for (const kind of HELD_KINDS) this.release(kind);
    this.#isClosed = true;
    this.#budget.giveUp(this);
    this.#onClosed();
  }
}
