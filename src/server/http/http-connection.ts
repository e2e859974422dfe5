import type { Socket } from 'node:net';
import { KNOWN_HEAD_BYTES_MAX } from '../../limits.ts';
import { InternalError, type LongBody } from '../../rpc/index.ts';
import { NO_ORIGIN_FIELDS } from '../access.ts';
import type { Connection, Connections } from '../connections.ts';
import type { Fields, HttpAnswer, RequestHead } from '../http-answer.ts';
import type { LongBodies } from '../long-bodies.ts';
import type { ParseTurns } from '../parse-turns.ts';
import {
  type ParseProblem,
  type RefusalContext,
  refuse,
  refuseBody,
  refuseBytes,
  refuseLate,
} from '../refusals.ts';
import { type ByteConsumer, type Consumed, SocketReader } from '../socket-reader.ts';
import type { AnswerBatch, Writable } from './answer-batch.ts';
import type { BusyPolling } from './busy-polling.ts';
import { askWhileHalfClosed } from './half-closed.ts';
import { END_OF_HEAD, HeadBytes } from './head-bytes.ts';
import type { IdleWatch, Watched } from './idle-watch.ts';
import { RequestBody } from './request-body.ts';
import { mayBeginHead } from './request-head.ts';
import type { RequestPlan, RequestPlans } from './request-plans.ts';
import { isShort, type ResponseSink, type ResponseWriter } from './response-writer.ts';

/** Upgrades of connections to WebSockets. */
export interface Upgrades {
  /** Returns the response to a request that gets no WebSocket; undefined for one that does. */
  refusalOf(head: RequestHead, connection: Connection): HttpAnswer | undefined;
  /** @param rest bytes that came behind the request */
  open(head: RequestHead, socket: Socket, rest: Buffer, connection: Connection): void;
}

/** What the connections of an HTTP server have in common. */
export interface HttpService extends RefusalContext {
  readonly connections: Connections;
  readonly longBodies: LongBodies;
  readonly parseTurns: ParseTurns;
  readonly batch: AnswerBatch;
  readonly polling: BusyPolling;
  readonly watch: IdleWatch;
  readonly writer: ResponseWriter;
  readonly upgrades: Upgrades;
}

const NOTHING = Buffer.alloc(0);
const CARRIAGE_RETURN = '\r'.charCodeAt(0);
const LINE_FEED = '\n'.charCodeAt(0);

/**
 * One connection over which HTTP/1.1 is spoken (RFC 9112). Reads a request, has it answered, writes the response, and
 * reads the next request when the client has taken the response: those that were sent ahead wait in the socket.
 */
export class HttpConnection implements ByteConsumer, Watched, Writable, ResponseSink {
  readonly #service: HttpService;
  readonly #plans: RequestPlans;
  readonly #reader: SocketReader;
  readonly connection: Connection;
  readonly socket: Socket;
  #phase: 'reading' | 'serving' | 'ended' = 'reading';
  /** The head of a request that has come in part. */
  readonly #head = new HeadBytes();
  /** The body of a request that has come in part. */
  #body: RequestBody | undefined;
  #plan: RequestPlan | undefined;
  /** The head of the last request that came in one piece, and its length with its body; no bytes for none. */
  #lastHead: Buffer = NOTHING;
  #lastBytes = -1;
  /** True from the end of a request to the beginning of its response. */
  #isAwaited = false;
  /** Bytes that are counted of the body of the request that is served. */
  #heldBytes = 0;
  #ready: HttpAnswer | undefined;
  #hasServed = false;
  #hasEnded = false;
  closes = false;
  patienceMs: number;
  #hasMoved = false;

  constructor(service: HttpService, plans: RequestPlans, connection: Connection, socket: Socket) {
    this.#service = service;
    this.#plans = plans;
    this.connection = connection;
    this.socket = socket;
    this.patienceMs = service.limits.headersTimeoutMs;
    this.#reader = new SocketReader(socket, connection, this, service.parseTurns);
    socket
      .on('end', this.#onEnd)
      .on('close', this.#onClose)
      // The client has taken nothing for as long as it may.
      .on('timeout', () => socket.destroy())
      // The socket closes after an error, and nothing is left to do.
      .on('error', () => undefined);
    service.watch.add(this);
  }

  get originFields(): Fields {
    return this.#plan?.originFields ?? NO_ORIGIN_FIELDS;
  }

  get isLatest(): boolean {
    return this.#plan?.head.isLatest !== false;
  }

  get wantsHead(): boolean {
    return this.#plan?.head.method === 'HEAD';
  }

  takeMoved(): boolean {
    const moved = this.#hasMoved;
    this.#hasMoved = false;
    return moved;
  }

  /** The client has sent nothing, or no whole request, for as long as it may. */
  giveUp(): void {
    if (this.#phase !== 'reading') return;
    const isIdle = this.#head.length === 0 && this.#body === undefined;
    if (isIdle && this.#hasServed) this.socket.destroy();
    else this.#refuse(refuseLate(this.#service));
  }

  /** Serves a whole request whose head is known, without a turn of its own. */
  consumeQuickly(bytes: Buffer): boolean {
    if (this.#head.length > 0 || this.#body !== undefined) return false;
    if (bytes.length === this.#lastBytes && this.#lastHead.compare(bytes, 0, this.#lastHead.length) === 0) {
      this.#begin(bytes, this.#lastHead.length);
      return true;
    }
    const end = bytes.indexOf(END_OF_HEAD, 0, 'latin1');
    if (end < 0 || end > KNOWN_HEAD_BYTES_MAX) return false;
    const plan = this.#plans.known(bytes.toString('latin1', 0, end));
    const bodyStart = end + END_OF_HEAD.length;
    if (plan === undefined || bodyStart + plan.head.contentLength !== bytes.length) return false;
    if (plan.head.isChunked) return false;
    this.#plan = plan;
    this.#lastHead = Buffer.from(bytes.subarray(0, bodyStart));
    this.#lastBytes = bytes.length;
    this.#begin(bytes, bodyStart);
    return true;
  }

  consume(bytes: Buffer): Consumed {
    if (this.#body !== undefined) return this.#consumeBody(this.#body, bytes, 0);
    // An empty line before a request means nothing (RFC 9112, 2.2).
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
    this.#plan = plan;
    return this.#begin(bytes, start + end);
  }

  /** Keeps a part of a head whose end has not come. */
  #consumeBeginning(part: Buffer, bytes: Buffer): Consumed {
    if (part.length > 0) {
      if (this.#head.length === 0) {
        if (!mayBeginHead(part.toString('latin1'))) return this.#refuseBytes('malformed', bytes);
        this.#allow(this.#service.limits.headersTimeoutMs);
      }
      this.connection.hold(part.length);
      // What is kept must not keep the bytes before it, which nobody counts.
      this.#head.add(Buffer.from(part));
    }
    return { bytes: bytes.length, requests: 0 };
  }

  /** Returns the text of a head that ends with a part, without the empty line behind it. */
  #takeHead(lastPart: Buffer): string {
    const { length } = this.#head;
    if (length === 0) {
      this.#allow(this.#service.limits.requestTimeoutMs);
      return lastPart.toString('latin1', 0, lastPart.length - END_OF_HEAD.length);
    }
    // The request has been coming since its head began.
    this.patienceMs = this.#service.limits.requestTimeoutMs;
    this.connection.account.release('requests', length);
    this.#head.add(lastPart);
    const head = this.#head.take();
    return head.toString('latin1', 0, head.length - END_OF_HEAD.length);
  }

  /** Begins with the request that the plan is for, and whose head ends at a position. */
  #begin(bytes: Buffer, bodyStart: number): Consumed {
    const plan = this.#plan;
    if (plan === undefined) return { bytes: bytes.length, requests: 0 };
    const { head } = plan;
    const { limits } = this.#service;
    this.connection.isServing = true;
    this.closes = !head.keepsAlive;
    this.connection.takesRest = head.isLatest;
    if (plan.isUpgrade) return this.#upgrade(plan, bytes, bodyStart);
    const end = bodyStart + head.contentLength;
    if (!head.isChunked && end <= bytes.length && head.contentLength <= limits.bodyBytesMax) {
      this.#serve(plan, plan.takesBody ? bytes.subarray(bodyStart, end) : NOTHING);
      return { bytes: end, requests: 1 };
    }
    if (plan.isRefused && (head.expectation !== undefined || head.contentLength > limits.bodyBytesMax)) {
      // Its body is not waited for, and may come or not.
      this.closes = true;
      this.#serve(plan, NOTHING);
      return { bytes: bodyStart, requests: 1 };
    }
    const body = this.#openBody(plan);
    const isAwaited = head.expectation !== undefined && bodyStart === bytes.length;
    if (isAwaited && body.refusal === undefined) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    return this.#consumeBody(body, bytes, bodyStart);
  }

  #openBody(plan: RequestPlan): RequestBody {
    const { connections, limits, longBodies } = this.#service;
    const { connection } = this;
    const body = new RequestBody(plan.head, {
      bytesMax: limits.bodyBytesMax,
      extraBytesMax: limits.headerBytesMax,
      isKept: plan.takesBody,
      hold: (bytes) => connections.receive(connection, bytes),
      release: (bytes) => connection.account.release('requests', bytes),
      openLong: () => longBodies.open(this.#reader, connection.client),
    });
    this.#body = body;
    connection.refuseForMemory = () => this.#refuse(refuseBody('NO_ROOM', this.#service));
    return body;
  }

  #consumeBody(body: RequestBody, bytes: Buffer, start: number): Consumed {
    const end = body.refusal === undefined ? body.read(bytes, start) : start;
    const { refusal } = body;
    if (refusal === 'malformed' || refusal === 'overflow') return this.#refuseBytes(refusal, bytes);
    if (refusal !== undefined) {
      this.connection.hasWholeRequest = true;
      this.#refuse(refuseBody(refusal, this.#service));
    } else if (body.isComplete && this.#plan !== undefined) {
      const content = body.take();
      this.#closeBody();
      this.#heldBytes = content.length;
      this.#serve(this.#plan, content);
    } else return { bytes: end, requests: 0 };
    return { bytes: end, requests: 1 };
  }

  #closeBody(): void {
    this.#body?.close();
    this.#body = undefined;
    this.connection.refuseForMemory = undefined;
  }

  #upgrade({ head }: RequestPlan, bytes: Buffer, end: number): Consumed {
    const { upgrades } = this.#service;
    const { connection, socket } = this;
    connection.hasWholeRequest = true;
    const refusal = upgrades.refusalOf(head, connection);
    if (refusal !== undefined) {
      this.#refuse(refusal);
      return { bytes: end, requests: 1 };
    }
    this.#leave();
    this.#reader.leave();
    upgrades.open(head, socket, bytes.subarray(end), connection);
    return { bytes: bytes.length, requests: 1 };
  }

  #serve({ handler, head: { headers }, query }: RequestPlan, body: Uint8Array | LongBody): void {
    const { connection } = this;
    this.#wait();
    connection.hasWholeRequest = true;
    this.#isAwaited = true;
    let answer: HttpAnswer | Promise<HttpAnswer>;
    try {
      answer = handler({ connection, headers, query, body });
    } catch {
      answer = refuse(500, new InternalError());
    }
    if (answer instanceof Promise) {
      if (this.#heldBytes === 0 && body.length > 0) {
        this.#heldBytes = body.length;
        connection.account.hold('requests', body.length);
      }
      answer.then(this.#respond, this.#fail);
    } else this.#respond(answer);
  }

  /** Reads nothing more before the response is taken. */
  #wait(): void {
    this.#phase = 'serving';
    this.patienceMs = Number.POSITIVE_INFINITY;
    this.#reader.pause();
  }

  readonly #fail = (): void => this.#respond(refuse(500, new InternalError()));

  readonly #respond = (answer: HttpAnswer): void => {
    this.#isAwaited = false;
    if (answer.closes === true || this.#service.connections.isClosing) this.closes = true;
    if (isShort(answer)) {
      this.#ready = answer;
      this.#service.batch.add(this);
    } else this.#service.writer.write(answer, this);
  };

  /** Writes the response that is ready. */
  write(): void {
    const answer = this.#ready;
    this.#ready = undefined;
    if (answer !== undefined) this.#service.writer.write(answer, this);
  }

  /** The request has done its work, and its response was given to the socket. */
  onGiven(): void {
    const { account } = this.connection;
    if (account.bytes === 0) return;
    account.release('requests', this.#heldBytes);
    account.release('answers');
    this.#heldBytes = 0;
  }

  onTaken(isWhole: boolean): void {
    const { connections, limits, polling } = this.#service;
    const { socket } = this;
    connections.finish(this.connection);
    if (socket.destroyed) return;
    if (!isWhole) {
      socket.destroy();
      return;
    }
    socket.setTimeout(0);
    if (this.closes) {
      this.#leave();
      this.#reader.endLingering();
      return;
    }
    polling.begin();
    this.#phase = 'reading';
    this.#hasServed = true;
    this.#allow(limits.keepAliveTimeoutMs);
    if (this.#hasEnded) socket.end();
    else this.#reader.resume();
  }

  /** Answers bytes that are no request; nothing behind them is one. */
  #refuseBytes(problem: ParseProblem, { length }: Buffer): Consumed {
    this.#refuse(refuseBytes(problem, this.#service));
    return { bytes: length, requests: 1 };
  }

  /** Answers whatever the client has sent as the last thing on the connection. */
  #refuse(answer: HttpAnswer): void {
    this.#closeBody();
    this.connection.isServing = true;
    this.#wait();
    this.#respond({ ...answer, closes: true });
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#phase === 'serving') {
      if (this.isLatest) askWhileHalfClosed(this.socket, () => this.#isAwaited);
    } else if (this.#head.length > 0 || this.#body !== undefined) {
      this.#refuse(refuseBytes('malformed', this.#service));
    } else this.socket.end();
  };

  readonly #onClose = (): void => {
    this.#service.watch.delete(this);
    this.#closeBody();
  };

  /** Lets go of the socket, which something else takes care of from now on. */
  #leave(): void {
    this.#phase = 'ended';
    this.socket.off('end', this.#onEnd).off('close', this.#onClose);
    this.#service.watch.delete(this);
  }

  /** Gives up on the connection when nothing moves on it for so long from now on. */
  #allow(milliseconds: number): void {
    this.patienceMs = milliseconds;
    this.#hasMoved = true;
  }
}

/** Returns the position behind the line ends that bytes begin with. */
function endOfEmptyLines(bytes: Buffer): number {
  let end = 0;
  while (bytes[end] === CARRIAGE_RETURN || bytes[end] === LINE_FEED) end += 1;
  return end;
}
