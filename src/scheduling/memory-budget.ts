import { LedgerdError } from '../protocol/index.ts';

/** Bytes of a body that is parsed in one step; a longer one is scheduled, and a batch is parsed item by item. */
export const QUICK_BODY_BYTES_MAX = 16 * 1024;
/** Share of the held bytes below which a client may hold more regardless of the others, within the bound. */
export const HELD_SMALL_SHARE = 1 / 16;
/** Milliseconds that a batch waits for memory before its remaining requests are refused. */
const MEMORY_WAIT_MS_MAX = 30_000;

/** The connection of a client that sends requests: one object for each connection, or for each of its messages. */
export interface ClientConnection {
  /** The client for which the connection is counted: all connections of an address have the same one. */
  readonly client: string;
  /** Returns true after the client has disconnected: its queued tasks are dropped. */
  isGone?(): boolean;
  /** The connection, for fair queueing, if there is a caller for each message; absent: the caller itself. */
  readonly connection?: object | undefined;
  /** The memory held for the connection; absent: not counted. */
  readonly budget?: ConnectionBudget | undefined;
}

/** A bound of the node is exceeded; the message names the bound and its value. */
export class LimitError extends LedgerdError {
  override readonly code = 'LIMIT';
  /** The error code of JSON-RPC (EIP-1474: limit exceeded). */
  readonly rpcCode = -32005;
}

/** Share of the held bytes below which requests and queued batches may hold more. */
const HELD_BEGUN_SHARE = 1 / 2;
/** Share of the held bytes below which one client may begin a request. */
const HELD_CLIENT_SHARE = 3 / 4;
/** Milliseconds between two checks for free memory while a batch waits for it. */
const MEMORY_CHECK_MS = 250;

/** Kinds of bytes that are held for clients. */
export const HELD_KINDS = [
  /** Received bytes of requests. */
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

/** The bytes held for all clients have reached their bound. */
export class HeldLimitError extends LimitError {
  /** @param bytesMax bytes that may be held for all clients together */
  constructor(bytesMax: number) {
    super(
      `what the node would hold for its clients exceeds the limit of ${bytesMax} bytes (--max-held): try again later`,
    );
  }
}

/** The bound of held bytes, and the way to free some. */
export interface MemoryBudgetOptions {
  /** Bytes that may be held for all clients together. */
  readonly bytesMax: number;
  /** Closes the connection that delays others most; returns false if none may be closed. */
  reclaim?(except: ConnectionBudget | undefined): boolean;
  /** Milliseconds that a batch waits for memory. */
  readonly waitMsMax?: number | undefined;
}

/** The held bytes of one address. */
interface Client {
  bytes: number;
  connections: number;
}

interface WaitingBatch {
  readonly connection: ConnectionBudget;
  readonly deadline: number;
  readonly resolve: (hasMemory: boolean) => void;
}

/**
 * Bounds the bytes held for all clients together.
 *
 * Begun work completes first. Below half of the bound every request may hold more. Beyond it only the oldest batch and
 * clients that hold little may; other batches wait for memory, and their remaining requests are refused after a
 * time-out. Single requests are refused at the bound, or if their client alone holds most of it. Finished responses
 * count even beyond the bound: no request begins then.
 */
export class MemoryBudget {
  /** The error of requests without memory. */
  readonly refusal: LimitError;
  readonly bytesMax: number;
  /** Connections with a running batch, the oldest first. */
  readonly batches = new Set<ConnectionBudget>();
  readonly #options: MemoryBudgetOptions;
  readonly #held: Record<HeldKind, number> = { requests: 0, values: 0, answers: 0, unread: 0 };
  readonly #clients = new Map<string, Client>();
  readonly #waiting = new Set<WaitingBatch>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
    this.bytesMax = options.bytesMax;
    this.refusal = new HeldLimitError(options.bytesMax);
  }

  get held(): HeldBytes {
    return this.#held;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Opens the budget of a connection, which must be closed. @param client its address */
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

  /** Counts bytes, also negative ones. */
  add(client: Client, kind: HeldKind, bytes: number): void {
    this.#held[kind] += bytes;
    this.#bytes += bytes;
    client.bytes += bytes;
    if (bytes < 0) this.wake();
  }

  /** Returns true if so many more bytes fit into a share of the bound, or the client holds little with them. */
  fits(client: Client, bytes: number, share: number): boolean {
    const total = this.#bytes + bytes;
    if (total <= this.bytesMax * share) return true;
    return total <= this.bytesMax && client.bytes + bytes <= this.bytesMax * HELD_SMALL_SHARE;
  }

  /** Closes a slow connection; returns false if none may be closed. */
  reclaim(except?: ConnectionBudget): boolean {
    return this.#options.reclaim?.(except) ?? false;
  }

  /** Closes slow connections while more than the bound is held. */
  freeMemory(except?: ConnectionBudget): void {
    while (this.#bytes > this.bytesMax) if (!this.reclaim(except)) return;
  }

  /** Waits until a batch may continue; false after the time-out, and when its budget is closed. */
  wait(connection: ConnectionBudget, since: number): Promise<boolean> {
    const { waitMsMax = MEMORY_WAIT_MS_MAX } = this.#options;
    const [oldest] = this.batches;
    // All others wait for the oldest batch.
    if (connection === oldest && this.#held.unread === 0) return Promise.resolve(connection.mayContinue());
    this.#timer ??= setInterval(() => this.#check(), MEMORY_CHECK_MS);
    const deadline = since + waitMsMax;
    return new Promise((resolve) => this.#waiting.add({ connection, deadline, resolve }));
  }

  endWait(connection: ConnectionBudget): void {
    this.#settle((waiting) => (waiting.connection === connection ? false : undefined));
  }

  /** Wakes batches that may continue; each checks again before each of its requests. */
  wake(): void {
    if (this.#waiting.size > 0) this.#settle(({ connection }) => connection.mayContinue() || undefined);
  }

  #check(): void {
    this.freeMemory();
    const now = performance.now();
    this.#settle(({ connection, deadline }) => {
      if (connection.mayContinue()) return true;
      return now >= deadline ? false : undefined;
    });
  }

  /** Ends the waits for which a decision is made. */
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

  /** Releases bytes of a kind; by default all. */
  release(kind: HeldKind, bytes = this.#held[kind]): void {
    if (bytes > 0) this.hold(kind, -bytes);
  }

  /** Counts received bytes of a request, for which slow connections may be closed; false if they do not fit. */
  holdRequest(bytes: number): boolean {
    const isSmall = this.#bytes + bytes <= QUICK_BODY_BYTES_MAX;
    while (!isSmall && !this.#budget.fits(this.client, bytes, HELD_BEGUN_SHARE)) {
      if (!this.#budget.reclaim(this)) return false;
    }
    this.hold('requests', bytes);
    return true;
  }

  /** Counts unread bytes of a response; closes slower clients if the bound is exceeded. */
  holdUnread(bytes: number): void {
    this.hold('unread', bytes);
    this.#budget.freeMemory(this);
  }

  /** Returns true if a request with a long response may begin; always within a batch, which checks separately. */
  mayBegin(): boolean {
    return this.#budget.batches.has(this) || this.#hasMemory(0);
  }

  /** Begins a job: its `hold` counts bytes in place of those before, or throws the refusal. */
  beginJob(): { hold(bytes: number): void } {
    let held = 0;
    return {
      hold: (bytes) => {
        if (bytes > held && !this.#hasMemory(bytes - held)) throw this.refusal;
        this.hold('values', bytes - held);
        held = bytes;
      },
    };
  }

  beginBatch(): void {
    if (!this.#isClosed) this.#budget.batches.add(this);
  }

  endBatch(): void {
    if (this.#budget.batches.delete(this)) this.#budget.wake();
  }

  /** Returns true if the batch may begin its next request. */
  mayContinue(): boolean {
    if (this.#budget.fits(this.client, 0, HELD_BEGUN_SHARE)) return true;
    const [oldest] = this.#budget.batches;
    // The rest is for small requests.
    return this === oldest && this.#budget.bytes <= this.#budget.bytesMax * (1 - HELD_SMALL_SHARE);
  }

  /** Waits until the batch may continue; false after the time-out. @param since its start, by `performance.now()` */
  waitForMemory(since: number): Promise<boolean> {
    return this.#isClosed ? Promise.resolve(false) : this.#budget.wait(this, since);
  }

  /** Releases all bytes when the connection has closed. */
  close(): void {
    if (this.#isClosed) return;
    for (const kind of HELD_KINDS) this.release(kind);
    this.#isClosed = true;
    this.#budget.endWait(this);
    this.endBatch();
    this.#onClosed();
  }

  /** Returns true if so many more bytes fit; closes slow connections to free memory. */
  #hasMemory(bytes: number): boolean {
    const { bytesMax } = this.#budget;
    const isFull = (): boolean =>
      this.#budget.bytes + bytes > bytesMax || this.client.bytes + bytes > bytesMax * HELD_CLIENT_SHARE;
    while (isFull()) if (!this.#budget.reclaim(this)) return false;
    return true;
  }
}
