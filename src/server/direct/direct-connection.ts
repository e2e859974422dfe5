import type { Socket } from 'node:net';
import { DIRECT_BODY_BYTES_MAX, DIRECT_WAIT_MS_MAX } from '../../limits.ts';
import type { Dispatcher } from '../../rpc/index.ts';
import { LONG_ANSWER_CHARACTERS } from '../answer-calls.ts';
import type { Connection, Connections } from '../connections.ts';
import { refuseFailed } from '../refusals.ts';
import type { ServerLimits } from '../server-limits.ts';
import type { AnswerHeads } from './answer-head.ts';
import type { BusyPolling } from './busy-polling.ts';
import type { CommonRequests } from './common-request.ts';

/** What connections are served with. */
export interface DirectService {
  readonly dispatcher: Dispatcher;
  readonly connections: Connections;
  readonly limits: ServerLimits;
  readonly heads: AnswerHeads;
  readonly polling: BusyPolling;
  /** Lets the full server serve a connection from its next byte on. */
  handOver(socket: Socket): void;
  /** Answers a client that ended its side of the connection within a request. */
  refuseUnfinished(socket: Socket): void;
}

/**
 * One connection as long as its client sends requests in the common form, one after the other. With the first thing
 * that is anything else, the connection and all that is not answered yet goes to the full server, and stays there.
 */
export class DirectConnection {
  readonly #service: DirectService;
  readonly #requests: CommonRequests;
  readonly #connection: Connection;
  readonly #socket: Socket;
  /** What has come and is not worked on: the beginning of a request, or what was sent ahead. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  #isWorking = false;
  #hasServed = false;
  #hasEnded = false;
  #timeoutMs = 0;

  constructor(service: DirectService, requests: CommonRequests, connection: Connection) {
    this.#service = service;
    this.#requests = requests;
    this.#connection = connection;
    this.#socket = connection.socket;
    this.#socket
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', ignore)
      .on('timeout', this.#onTimeout);
    this.#allow(this.#waitMs());
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isWorking) this.#keep(chunk);
    else this.#read(chunk);
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#isWorking) return;
    if (this.#piecesBytes > 0) this.#service.refuseUnfinished(this.#socket);
    else this.#socket.end();
  };

  /** The client has sent nothing, or taken nothing, for as long as it may. */
  readonly #onTimeout = (): void => {
    const isWaiting = !this.#isWorking && (this.#piecesBytes > 0 || !this.#hasServed);
    if (isWaiting) this.#handOver();
    else if (!this.#isWorking || this.#socket.writableLength > 0) this.#socket.destroy();
  };

  /** What is sent ahead waits; where it is more than a request may be, in the client's own memory. */
  #keep(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#piecesBytes += chunk.length;
    if (this.#piecesBytes > DIRECT_BODY_BYTES_MAX) this.#socket.pause();
  }

  #read(chunk: Buffer): void {
    const isSecondPiece = this.#piecesBytes > 0;
    const bytes = isSecondPiece ? Buffer.concat([...this.#pieces, chunk]) : chunk;
    const reading = this.#requests.read(bytes);
    this.#pieces = [];
    this.#piecesBytes = 0;
    if (reading.kind === 'whole' && reading.end === bytes.length) {
      this.#serve(bytes, bytes.subarray(reading.bodyStart));
      return;
    }
    this.#keep(bytes);
    // A head and its body may come one after the other; whoever sends smaller pieces is served by the full server.
    if (reading.kind !== 'unfinished' || isSecondPiece) this.#handOver();
    else this.#allow(this.#waitMs());
  }

  #serve(request: Buffer, body: Uint8Array): void {
    const { connections, dispatcher } = this.#service;
    const connection = this.#connection;
    if (!connections.begin(connection, body.length)) {
      this.#keep(request);
      this.#handOver();
      return;
    }
    this.#isWorking = true;
    const fail = (): void => refuseFailed(this.#socket);
    try {
      const answer = dispatcher.handle(body, connection);
      if (answer instanceof Promise) answer.then((settled) => this.#answer(settled), fail);
      else this.#answer(answer);
    } catch {
      fail();
    }
  }

  #answer(answer: string | undefined): void {
    const { connections, heads, limits, polling } = this.#service;
    const socket = this.#socket;
    // The body has done its work.
    connections.release(this.#connection);
    if (answer === undefined) {
      socket.write(heads.ofNothing(), 'latin1');
    } else if (answer.length > LONG_ANSWER_CHARACTERS) {
      const bytes = Buffer.from(answer);
      socket.cork();
      socket.write(heads.ofAnswer(bytes.length), 'latin1');
      socket.write(bytes);
      socket.uncork();
    } else {
      const length = Buffer.byteLength(answer);
      socket.write(heads.ofAnswer(length) + answer, length === answer.length ? 'latin1' : 'utf8');
    }
    if (socket.writableLength === 0) {
      this.#allow(limits.keepAliveTimeoutMs);
      this.#finish();
      polling.begin();
      return;
    }
    connections.answer(this.#connection, socket.writableLength);
    this.#allow(limits.stalledTimeoutMs);
    // Called when everything before it is taken.
    socket.write('', () => {
      this.#allow(limits.keepAliveTimeoutMs);
      this.#finish();
    });
  }

  #finish(): void {
    this.#isWorking = false;
    this.#hasServed = true;
    this.#service.connections.finish(this.#connection);
    if (this.#socket.destroyed) return;
    if (this.#hasEnded) this.#socket.end();
    else if (this.#piecesBytes > 0) this.#goOn();
  }

  /** Reads what was sent ahead. */
  #goOn(): void {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#piecesBytes = 0;
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#read(bytes);
  }

  /** Milliseconds that a client has for a request before the full server watches it, which has its own bounds. */
  #waitMs(): number {
    const { headersTimeoutMs, requestTimeoutMs } = this.#service.limits;
    return Math.min(DIRECT_WAIT_MS_MAX, Math.ceil(Math.min(headersTimeoutMs, requestTimeoutMs) / 2));
  }

  /** Closes the connection, or hands it over, when nothing moves on it for so long. */
  #allow(milliseconds: number): void {
    if (milliseconds === this.#timeoutMs) return;
    this.#timeoutMs = milliseconds;
    this.#socket.setTimeout(milliseconds);
  }

  #handOver(): void {
    const socket = this.#socket;
    socket.off('data', this.#onData).off('end', this.#onEnd).off('timeout', this.#onTimeout);
    socket.setTimeout(0);
    socket.pause();
    if (this.#piecesBytes > 0) socket.unshift(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#service.handOver(socket);
  }
}

/** The socket closes after an error, and nothing is left to do. */
function ignore(): void {}
