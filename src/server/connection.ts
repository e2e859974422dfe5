import type { Caller, LimitError } from '../rpc/index.ts';
import type { ConnectionBudget, MemoryBudget } from '../scheduling/index.ts';

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
