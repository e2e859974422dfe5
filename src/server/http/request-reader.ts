import type { Socket } from 'node:net';
import type { LongBody } from '../../rpc/index.ts';
import type { BodyScheduler } from '../body-scheduler.ts';
import { BufferList } from '../buffer-list.ts';
import type { Connection } from '../connections.ts';
import type { BodyRefusal, ParseProblem } from '../http-response.ts';
import type { ParseScheduler } from '../parse-scheduler.ts';
import type { ServerLimits } from '../server-limits.ts';
import { type ByteConsumer, type Consumed, SocketReader } from '../socket-reader.ts';
import { RequestBody } from './request-body.ts';
import { mayBeginHead } from './request-head.ts';
import { CACHED_HEAD_BYTES_MAX, type RequestPlan, type RequestPlans } from './request-plans.ts';

/** The receiver of the requests of a connection, one after the other. */
export interface RequestReceiver {
  /** Serves a whole request. @param heldBytes counted bytes of its body */
  serve(plan: RequestPlan, body: Uint8Array | LongBody, heldBytes: number): void;
  /** Upgrades the connection. @param rest bytes after the request */
  upgrade(plan: RequestPlan, rest: Buffer): void;
  /** Refuses a malformed request, or a body that is not read to its end. */
  refuseUnread(problem: ParseProblem | BodyRefusal): void;
  /** Restarts the time-out of the connection. */
  allow(milliseconds: number): void;
  timeoutMs: number;
  closes: boolean;
}

interface ReadingService {
  readonly limits: ServerLimits;
  readonly bodyScheduler: BodyScheduler;
  readonly parseScheduler: ParseScheduler;
}

const NOTHING = Buffer.alloc(0);
const CARRIAGE_RETURN = '\r'.charCodeAt(0);
const LINE_FEED = '\n'.charCodeAt(0);
/** The empty line that ends a head (RFC 9112, 2.1). */
const END_OF_HEAD = '\r\n\r\n';

export class RequestReader implements ByteConsumer {
  readonly #service: ReadingService;
  readonly #plans: RequestPlans;
  readonly #connection: Connection;
  readonly #socket: Socket;
  readonly #receiver: RequestReceiver;
  readonly source: SocketReader;
  /** The beginning of a head whose end has not arrived. */
  readonly #head = new HeadBytes();
  #body: RequestBody | undefined;
  /** The plan of the last head. */
  plan: RequestPlan | undefined;
  /** The head of the last request that arrived in one chunk, and its length with its body; empty for none. */
  #lastHead: Buffer = NOTHING;
  #lastBytes = -1;

  constructor(
    service: ReadingService,
    plans: RequestPlans,
    connection: Connection,
    socket: Socket,
    receiver: RequestReceiver,
  ) {
    this.#service = service;
    this.#plans = plans;
    this.#connection = connection;
    this.#socket = socket;
    this.#receiver = receiver;
    this.source = new SocketReader(socket, connection, this, service.parseScheduler);
  }

  /** True if no part of a request has arrived. */
  get isIdle(): boolean {
    return this.#head.length === 0 && this.#body === undefined;
  }

  /** Serves a whole request with a cached head at once, without the scheduler. */
  consumeQuickly(bytes: Buffer): boolean {
    if (this.#head.length > 0 || this.#body !== undefined) return false;
    if (bytes.length === this.#lastBytes && this.#lastHead.compare(bytes, 0, this.#lastHead.length) === 0) {
      this.#begin(bytes, this.#lastHead.length);
      return true;
    }
    const end = bytes.indexOf(END_OF_HEAD, 0, 'latin1');
    if (end < 0 || end > CACHED_HEAD_BYTES_MAX) return false;
    const plan = this.#plans.cached(bytes.toString('latin1', 0, end));
    const bodyStart = end + END_OF_HEAD.length;
    if (plan === undefined || bodyStart + plan.head.contentLength !== bytes.length) return false;
    if (plan.head.isChunked) return false;
    this.plan = plan;
    this.#lastHead = Buffer.from(bytes.subarray(0, bodyStart));
    this.#lastBytes = bytes.length;
    this.#begin(bytes, bodyStart);
    return true;
  }

  consume(bytes: Buffer): Consumed {
    if (this.#body !== undefined) return this.#consumeBody(this.#body, bytes, 0);
    // Empty lines before a request are ignored (RFC 9112, 2.2).
    const start = this.#head.length === 0 ? endOfEmptyLines(bytes) : 0;
    const part = bytes.subarray(start);
    const end = this.#head.endIn(part);
    const { headerBytesMax } = this.#service.limits;
    if (this.#head.length + (end < 0 ? part.length : end - END_OF_HEAD.length) > headerBytesMax) {
      return this.#refuseBytes('overflow', bytes);
    }
    if (end < 0) return this.#consumeBeginning(part, bytes);
    this.#lastBytes = -1;
    const plan = this.#plans.of(this.#takeHead(part.subarray(0, end)));
    if (typeof plan === 'string') return this.#refuseBytes(plan, bytes);
    this.plan = plan;
    return this.#begin(bytes, start + end);
  }

  /** Discards an incomplete body. */
  close(): void {
    this.#body?.close();
    this.#body = undefined;
    this.#connection.refuseForMemory = undefined;
  }

  #consumeBeginning(part: Buffer, bytes: Buffer): Consumed {
    if (part.length > 0) {
      if (this.#head.length === 0) {
        if (!mayBeginHead(part.toString('latin1'))) return this.#refuseBytes('malformed', bytes);
        this.#receiver.allow(this.#service.limits.headersTimeoutMs);
      }
      this.#connection.hold(part.length);
      // A copy, which does not retain the uncounted bytes before it.
      this.#head.add(Buffer.from(part));
    }
    return { bytes: bytes.length, requests: 0 };
  }

  /** Returns the text of a head that ends with a part, without the empty line after it. */
  #takeHead(lastPart: Buffer): string {
    const { length } = this.#head;
    const { requestTimeoutMs } = this.#service.limits;
    if (length === 0) {
      this.#receiver.allow(requestTimeoutMs);
      return lastPart.toString('latin1', 0, lastPart.length - END_OF_HEAD.length);
    }
    // The time-out of the request began with its head.
    this.#receiver.timeoutMs = requestTimeoutMs;
    this.#connection.budget.release('requests', length);
    this.#head.add(lastPart);
    const head = this.#head.take();
    return head.toString('latin1', 0, head.length - END_OF_HEAD.length);
  }

  /** Begins the planned request, whose head ends at a position. */
  #begin(bytes: Buffer, bodyStart: number): Consumed {
    const { plan } = this;
    if (plan === undefined) return { bytes: bytes.length, requests: 0 };
    const { head, bodyBytesMax } = plan;
    const receiver = this.#receiver;
    this.#connection.isServing = true;
    this.#connection.acceptsStreams = head.isLatest;
    receiver.closes = !head.keepsAlive;
    if (plan.isUpgrade) {
      receiver.upgrade(plan, bytes.subarray(bodyStart));
      return { bytes: bytes.length, requests: 1 };
    }
    const end = bodyStart + head.contentLength;
    if (!head.isChunked && end <= bytes.length && head.contentLength <= bodyBytesMax) {
      receiver.serve(plan, plan.takesBody ? bytes.subarray(bodyStart, end) : NOTHING, 0);
      return { bytes: end, requests: 1 };
    }
    if (plan.isRefused && (head.expectation !== undefined || head.contentLength > bodyBytesMax)) {
      // Its body may follow or not, and is not read.
      receiver.closes = true;
      receiver.serve(plan, NOTHING, 0);
      return { bytes: bodyStart, requests: 1 };
    }
    const body = new RequestBody(plan, this.#service.limits, this.#connection, () =>
      this.#service.bodyScheduler.open(this.source, this.#connection.client),
    );
    this.#body = body;
    this.#connection.refuseForMemory = () => receiver.refuseUnread('NO_ROOM');
    const isAwaited = head.expectation !== undefined && bodyStart === bytes.length;
    if (isAwaited && body.refusal === undefined) {
      this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    }
    return this.#consumeBody(body, bytes, bodyStart);
  }

  #consumeBody(body: RequestBody, bytes: Buffer, start: number): Consumed {
    const end = body.refusal === undefined ? body.read(bytes, start) : start;
    const { refusal } = body;
    if (refusal === 'malformed' || refusal === 'overflow') return this.#refuseBytes(refusal, bytes);
    if (refusal !== undefined) {
      this.#connection.hasWholeRequest = true;
      this.#receiver.refuseUnread(refusal);
    } else if (body.isComplete && this.plan !== undefined) {
      const content = body.take();
      this.close();
      this.#receiver.serve(this.plan, content, content.length);
    } else return { bytes: end, requests: 0 };
    return { bytes: end, requests: 1 };
  }

  /** Refuses malformed bytes, and ignores all bytes after them. */
  #refuseBytes(problem: ParseProblem, { length }: Buffer): Consumed {
    this.#receiver.refuseUnread(problem);
    return { bytes: length, requests: 1 };
  }
}

/** The bytes of a request head that arrives in several chunks. */
class HeadBytes {
  readonly #buffers = new BufferList();
  /** The last bytes, which may contain the beginning of the end. */
  #tail: Buffer = NOTHING;
  length = 0;

  /** Returns the position after the end of the head in the next bytes; -1 if it does not end there. */
  endIn(bytes: Buffer): number {
    if (this.#tail.length > 0) {
      const seam = Buffer.concat([this.#tail, bytes.subarray(0, END_OF_HEAD.length - 1)]);
      const index = seam.indexOf(END_OF_HEAD, 0, 'latin1');
      if (index >= 0) return index + END_OF_HEAD.length - this.#tail.length;
    }
    const index = bytes.indexOf(END_OF_HEAD, 0, 'latin1');
    return index < 0 ? -1 : index + END_OF_HEAD.length;
  }

  add(bytes: Buffer): void {
    this.length += bytes.length;
    this.#buffers.add(bytes);
    const tail = bytes.length < END_OF_HEAD.length ? Buffer.concat([this.#tail, bytes]) : bytes;
    this.#tail = Buffer.from(tail.subarray(1 - END_OF_HEAD.length));
  }

  take(): Buffer {
    this.#tail = NOTHING;
    this.length = 0;
    return Buffer.concat(this.#buffers.take());
  }
}

/** Returns the position after leading line ends. */
function endOfEmptyLines(bytes: Buffer): number {
  let end = 0;
  while (bytes[end] === CARRIAGE_RETURN || bytes[end] === LINE_FEED) end += 1;
  return end;
}
