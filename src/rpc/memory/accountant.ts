import { HELD_SMALL_SHARE, QUICK_BODY_BYTES_MAX, ROOM_WAIT_MS_MAX } from '../../limits.ts';
import { LimitError } from '../errors.ts';

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
export interface AccountantOptions {
  /** Bytes that may be held for all clients together. */
  readonly bytesMax: number;
  /** Closes the client that keeps others waiting most, if any may be closed; tells whether it did. */
  reclaim?(except: Account | undefined): boolean;
  /** Milliseconds that a batch waits for room. */
  readonly waitMsMax?: number | undefined;
}

/** What is held for one address. */
interface Client {
  bytes: number;
  accounts: number;
}

/** A batch that waits for room. */
interface Waiting {
  readonly account: Account;
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
export class Accountant {
  readonly #options: AccountantOptions;
  readonly #held: Record<HeldKind, number> = { requests: 0, values: 0, answers: 0, unread: 0 };
  readonly #clients = new Map<string, Client>();
  /** Those with a batch at work, in the order in which the batches began. */
  readonly #batches = new Set<Account>();
  readonly #waiting = new Set<Waiting>();
  readonly #refusal: LimitError;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AccountantOptions) {
    this.#options = options;
    this.#refusal = new HeldLimitError(options.bytesMax);
  }

  /** The bytes that are held now. */
  get held(): HeldBytes {
    return this.#held;
  }

  /** The error for what finds no room. */
  get refusal(): LimitError {
    return this.#refusal;
  }

  /** Opens the account of a connection; it has to be closed. @param client its address */
  open(client: string): Account {
    const known = this.#clients.get(client);
    const entry = known ?? { bytes: 0, accounts: 0 };
    if (known === undefined) this.#clients.set(client, entry);
    entry.accounts += 1;
    return new Account(this, entry, () => {
      entry.accounts -= 1;
      if (entry.accounts === 0) this.#clients.delete(client);
    });
  }

  /** Counts bytes, which may be less than nothing. Only accounts call this. */
  add(client: Client, kind: HeldKind, bytes: number): void {
    this.#held[kind] += bytes;
    this.#bytes += bytes;
    client.bytes += bytes;
    if (bytes < 0 && this.#waiting.size > 0) this.#wake();
  }

  /** Whether so many bytes of a request may be kept; makes room for them by closing those who are slower. */
  hasRoomForRequest(account: Account, bytes: number): boolean {
    if (account.bytes + bytes <= QUICK_BODY_BYTES_MAX) return true;
    do if (this.#fits(account, bytes, HELD_BEGUN_SHARE)) return true;
    while (this.#reclaim(account));
    return false;
  }

  /** Closes those who are slow where more is held than may be. */
  makeRoom(except?: Account): void {
    while (this.#bytes > this.#options.bytesMax) if (!this.#reclaim(except)) return;
  }

  /** Whether a request of a client may be worked on whose response may be long. */
  mayBegin(account: Account): boolean {
    return this.#batches.has(account) || this.hasRoom(account, 0);
  }

  /** Returns true if so many more bytes fit; makes room for them by closing those who are slow. */
  hasRoom(account: Account, bytes: number): boolean {
    const { bytesMax } = this.#options;
    const isFull = (): boolean =>
      this.#bytes + bytes > bytesMax || account.client.bytes + bytes > bytesMax * HELD_CLIENT_SHARE;
    while (isFull()) if (!this.#reclaim(account)) return false;
    return true;
  }

  beginBatch(account: Account): void {
    this.#batches.add(account);
  }

  endBatch(account: Account): void {
    if (this.#batches.delete(account) && this.#waiting.size > 0) this.#wake();
  }

  /** Whether a batch may work on its next request. */
  mayGoOn(account: Account): boolean {
    if (this.#fits(account, 0, HELD_BEGUN_SHARE)) return true;
    const [eldest] = this.#batches;
    // What is left is for those who ask for little.
    return account === eldest && this.#bytes <= this.#options.bytesMax * (1 - HELD_SMALL_SHARE);
  }

  /** Waits until a batch may go on; false after too long, and when its account is closed. */
  waitForRoom(account: Account, since: number): Promise<boolean> {
    const { waitMsMax = ROOM_WAIT_MS_MAX } = this.#options;
    const [eldest] = this.#batches;
    // All others wait for it, and it would wait for nobody.
    if (account === eldest && this.#held.unread === 0) return Promise.resolve(this.mayGoOn(account));
    this.#timer ??= setInterval(() => this.#check(), ROOM_CHECK_MS);
    const deadline = since + waitMsMax;
    return new Promise((resolve) => this.#waiting.add({ account, deadline, resolve }));
  }

  /** The account of a lost client waits for nothing. */
  giveUp(account: Account): void {
    this.#settle((waiting) => (waiting.account === account ? false : undefined));
    this.endBatch(account);
  }

  /** Whether so many more bytes fit into a share of the bound, or are few for who holds little. */
  #fits({ client }: Account, bytes: number, share: number): boolean {
    const { bytesMax } = this.#options;
    const total = this.#bytes + bytes;
    if (total <= bytesMax * share) return true;
    return total <= bytesMax && client.bytes + bytes <= bytesMax * HELD_SMALL_SHARE;
  }

  #reclaim(except?: Account): boolean {
    return this.#options.reclaim?.(except) ?? false;
  }

  /** Wakes those who may go on now; each looks again before each of its requests. */
  #wake(): void {
    this.#settle(({ account }) => (this.mayGoOn(account) ? true : undefined));
  }

  #check(): void {
    this.makeRoom();
    const now = performance.now();
    this.#settle(({ account, deadline }) => {
      if (this.mayGoOn(account)) return true;
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
export class Account {
  readonly client: Client;
  readonly #accountant: Accountant;
  readonly #onClosed: () => void;
  readonly #held: Record<HeldKind, number> = { requests: 0, values: 0, answers: 0, unread: 0 };
  #bytes = 0;
  #isClosed = false;

  /** Accounts are opened by an accountant. */
  constructor(accountant: Accountant, client: Client, onClosed: () => void) {
    this.#accountant = accountant;
    this.client = client;
    this.#onClosed = onClosed;
  }

  /** Bytes that are held for it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The error for what finds no room. */
  get refusal(): LimitError {
    return this.#accountant.refusal;
  }

  /** Counts bytes that are held from now on. */
  hold(kind: HeldKind, bytes: number): void {
    if (this.#isClosed) return;
    this.#held[kind] += bytes;
    this.#bytes += bytes;
    this.#accountant.add(this.client, kind, bytes);
  }

  /** What is held of a kind, or so many bytes of it, is not needed any more. */
  release(kind: HeldKind, bytes = this.#held[kind]): void {
    if (bytes > 0) this.hold(kind, -bytes);
  }

  /** Counts bytes of a request that is coming; false where there is no room for them. */
  holdRequest(bytes: number): boolean {
    if (!this.#accountant.hasRoomForRequest(this, bytes)) return false;
    this.hold('requests', bytes);
    return true;
  }

  /** Counts bytes of a response that its client has to take; where all are too many, slower ones are closed. */
  holdUnread(bytes: number): void {
    this.hold('unread', bytes);
    this.#accountant.makeRoom(this);
  }

  /** Whether a request may be worked on whose response may be long; always within a batch, which asks by itself. */
  mayBegin(): boolean {
    return this.#accountant.mayBegin(this);
  }

  /** Begins work that holds bytes of its own: `hold` counts as many in place of those before, or throws the refusal. */
  beginWork(): { hold(bytes: number): void } {
    let held = 0;
    return {
      hold: (bytes) => {
        if (bytes > held && !this.#accountant.hasRoom(this, bytes - held)) throw this.refusal;
        this.hold('values', bytes - held);
        held = bytes;
      },
    };
  }

  /** A batch is worked on from now on. */
  beginBatch(): void {
    if (!this.#isClosed) this.#accountant.beginBatch(this);
  }

  /** The batch is answered. */
  endBatch(): void {
    this.#accountant.endBatch(this);
  }

  /** Whether the batch may work on its next request. */
  mayGoOn(): boolean {
    return this.#accountant.mayGoOn(this);
  }

  /**
   * Waits until the batch may go on; false after too long.
   *
   * @param since when it began to wait, by `performance.now()`
   */
  waitForRoom(since: number): Promise<boolean> {
    return this.#isClosed ? Promise.resolve(false) : this.#accountant.waitForRoom(this, since);
  }

  /** The connection is gone. */
  close(): void {
    if (this.#isClosed) return;
    for (const kind of HELD_KINDS) this.release(kind);
    this.#isClosed = true;
    this.#accountant.giveUp(this);
    this.#onClosed();
  }
}
