import type { Socket } from 'node:net';
import { InternalError, type LongBody } from '../../rpc/index.ts';
import { NO_ORIGIN_HEADERS } from '../access.ts';
import type { BodyScheduler } from '../body-scheduler.ts';
import type { Connection } from '../connections.ts';
import {
  type BodyRefusal,
  type HttpResponse,
  type ParseProblem,
  type ResponseHeaders,
  refuse,
  refuseUnread,
} from '../http-response.ts';
import type { BusyPolling, IdleWatch, Watched } from './event-loop.ts';
import type { HttpOptions, RequestPlan, RequestPlans } from './request-plans.ts';
import { RequestReader, type RequestReceiver } from './request-reader.ts';
import type { ResponseSink, ResponseWriter } from './response-writer.ts';

/** Milliseconds between two probes of a client that closed its sending side and awaits a response. */
const HALF_CLOSED_PROBE_MS = 500;

/** The shared services of the connections of an HTTP server. */
export interface HttpService extends HttpOptions {
  readonly bodyScheduler: BodyScheduler;
  /** Undefined for none. */
  readonly polling: BusyPolling | undefined;
  readonly watch: IdleWatch;
  readonly writer: ResponseWriter;
}

/** An interim response, which clients ignore (RFC 9110, 15.2; RFC 2518, 10.1). */
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n';

/**
 * A connection of HTTP/1.1 (RFC 9112). Serves a request, writes the response, and reads the next request after the
 * client has read the response: pipelined requests stay in the socket.
 */
export class HttpConnection implements RequestReceiver, Watched, ResponseSink {
  readonly #service: HttpService;
  readonly #requests: RequestReader;
  readonly connection: Connection;
  readonly socket: Socket;
  #phase: 'reading' | 'serving' | 'ended' = 'reading';
  /** True from the end of a request to the beginning of its response. */
  #isAwaited = false;
  /** Counted bytes of the body of the current request. */
  #heldBytes = 0;
  #hasServed = false;
  #hasEnded = false;
  closes = false;
  timeoutMs: number;
  #hasProgress = false;

  constructor(service: HttpService, plans: RequestPlans, connection: Connection, socket: Socket) {
    this.#service = service;
    this.connection = connection;
    this.socket = socket;
    this.timeoutMs = service.limits.headersTimeoutMs;
    this.#requests = new RequestReader(service, plans, connection, socket, this);
    socket
      .on('end', this.#onEnd)
      .on('close', this.#onClose)
      // The client has read nothing for too long.
      .on('timeout', () => socket.destroy())
      // The socket closes after an error.
      .on('error', () => undefined);
    service.watch.add(this);
  }

  get originHeaders(): ResponseHeaders {
    return this.#requests.plan?.originHeaders ?? NO_ORIGIN_HEADERS;
  }

  get wantsHead(): boolean {
    return this.#requests.plan?.head.method === 'HEAD';
  }

  takeProgress(): boolean {
    const hasProgress = this.#hasProgress;
    this.#hasProgress = false;
    return hasProgress;
  }

  allow(milliseconds: number): void {
    this.timeoutMs = milliseconds;
    this.#hasProgress = true;
  }

  onTimeout(): void {
    if (this.#phase !== 'reading') return;
    if (this.#requests.isIdle && this.#hasServed) this.socket.destroy();
    else this.#refuse(refuseUnread('late', this.#service));
  }

  upgrade({ head }: RequestPlan, rest: Buffer): void {
    const { upgrades } = this.#service;
    this.connection.hasWholeRequest = true;
    const refusal = upgrades.refusalOf(head, this.connection);
    if (refusal !== undefined) {
      this.#refuse(refusal);
      return;
    }
    this.#leave();
    this.#requests.source.leave();
    upgrades.open(head, this.socket, rest, this.connection);
  }

  serve(
    { handler, head: { headers }, query }: RequestPlan,
    body: Uint8Array | LongBody,
    heldBytes: number,
  ): void {
    const { connection } = this;
    this.#stopReading();
    this.#heldBytes = heldBytes;
    connection.hasWholeRequest = true;
    this.#isAwaited = true;
    let response: HttpResponse | Promise<HttpResponse>;
    try {
      response = handler({ connection, headers, query, body });
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (response instanceof Promise) {
      if (heldBytes === 0 && body.length > 0) {
        this.#heldBytes = body.length;
        connection.budget.hold('requests', body.length);
      }
      response.then(this.#respond, this.#fail);
    } else this.#respond(response);
  }

  refuseUnread(problem: ParseProblem | BodyRefusal): void {
    const { limits, onRefused } = this.#service;
    const { bodyBytesMax } = this.#requests.plan ?? limits;
    this.#refuse(refuseUnread(problem, { limits: { ...limits, bodyBytesMax }, onRefused }));
  }

  /** Sends a refusal and closes the connection. */
  #refuse(response: HttpResponse): void {
    this.#requests.close();
    this.connection.isServing = true;
    this.#stopReading();
    this.#respond({ ...response, closes: true });
  }

  /** Stops reading until the client has read the response. */
  #stopReading(): void {
    this.#phase = 'serving';
    this.timeoutMs = Number.POSITIVE_INFINITY;
    this.#requests.source.pause();
  }

  readonly #fail = (error: unknown): void => {
    this.#service.onFailure(error);
    this.#respond(refuse(500, new InternalError()));
  };

  readonly #respond = (response: HttpResponse): void => {
    this.#isAwaited = false;
    if (response.closes === true || this.#service.connections.isClosing) this.closes = true;
    this.#service.writer.write(response, this);
  };

  onWritten(): void {
    if (this.#heldBytes === 0) return;
    const { budget } = this.connection;
    budget.release('requests', this.#heldBytes);
    budget.release('answers');
    this.#heldBytes = 0;
  }

  onRead(isWhole: boolean): void {
    const { socket } = this;
    this.connection.noteRead();
    if (socket.destroyed) return;
    if (!isWhole) {
      socket.destroy();
      return;
    }
    socket.setTimeout(0);
    if (this.closes) {
      this.#leave();
      this.#requests.source.endLingering();
      return;
    }
    this.#service.polling?.begin();
    this.#phase = 'reading';
    this.#hasServed = true;
    this.allow(this.#service.limits.keepAliveTimeoutMs);
    if (this.#hasEnded) socket.end();
    else this.#requests.source.resume();
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#phase === 'serving') {
      if (this.#requests.plan?.head.isLatest !== false) this.#probe();
    } else if (this.#requests.isIdle) this.socket.end();
    else this.refuseUnread('malformed');
  };

  /**
   * Sends interim responses to a client that closed its sending side: the system of a client that has disconnected
   * responds with a reset. Otherwise the node would continue to work for nobody.
   */
  #probe(): void {
    const { socket } = this;
    const timer = setInterval(() => {
      if (this.#isAwaited && socket.writableLength === 0) socket.write(PROCESSING, 'latin1');
    }, HALF_CLOSED_PROBE_MS);
    timer.unref();
    socket.once('close', () => clearInterval(timer));
  }

  readonly #onClose = (): void => {
    this.#service.watch.delete(this);
    this.#requests.close();
  };

  /** Releases the socket. */
  #leave(): void {
    this.#phase = 'ended';
    this.socket.off('end', this.#onEnd).off('close', this.#onClose);
    this.#service.watch.delete(this);
  }
}
