import type { Socket } from 'node:net';
import { DIRECT_WAIT_MS_MAX } from '../../limits.ts';
import { type Dispatcher, type ProfileId, type Response, ResponseBody } from '../../rpc/index.ts';
import { bytesIfLong } from '../answer-calls.ts';
import { givePieces } from '../answer-pieces.ts';
import type { Connection } from '../connection.ts';
import type { Connections } from '../connections.ts';
import { askWhileHalfClosed } from '../half-closed.ts';
import type { HeadWaits } from '../head-waits.ts';
import type { HttpAnswer } from '../http-answer.ts';
import { type LongAnswers, writeTogether } from '../long-answers.ts';
import type { ParseTurns } from '../parse-turns.ts';
import { refuseFailed } from '../refusals.ts';
import type { ServerLimits } from '../server-limits.ts';
import type { AnswerBatch, Writable } from './answer-batch.ts';
import type { AnswerHeads } from './answer-head.ts';
import type { BusyPolling } from './busy-polling.ts';
import type { CommonRequest, CommonRequests } from './common-request.ts';
import type { IdleWatch, Watched } from './idle-watch.ts';

/** What the connections of the direct way have in common. */
export interface DirectService {
  readonly dispatcher: Dispatcher;
  readonly connections: Connections;
  readonly waits: HeadWaits;
  readonly limits: ServerLimits;
  readonly heads: AnswerHeads;
  readonly batch: AnswerBatch;
  readonly longAnswers: LongAnswers;
  readonly parseTurns: ParseTurns;
  readonly polling: BusyPolling;
  readonly watch: IdleWatch;
  /** Lets the full server serve a connection from its next byte on. */
  handOver(socket: Socket): void;
  /** Answers a client that ended its side of the connection within a request. */
  refuseUnfinished(socket: Socket): void;
}

const NOTHING = Buffer.alloc(0);

/**
 * One connection as long as its client sends requests in the common form, one after the other. With the first thing
 * that is anything else, the connection and all that is not answered yet goes to the full server, and stays there.
 */
export class DirectConnection implements Watched, Writable {
  readonly #service: DirectService;
  readonly #requests: CommonRequests;
  readonly #connection: Connection;
  readonly #socket: Socket;
  /** The first piece of a request that is not complete. */
  #kept: Buffer = NOTHING;
  /** Bytes of later requests that are counted and wait in the socket. */
  #aheadBytes = 0;
  #isWorking = false;
  /** Whether what it works on is without a response. */
  #isAsked = false;
  /** Bytes that are counted of the body that is worked on. */
  #heldBytes = 0;
  #hasServed = false;
  #hasEnded = false;
  /** The head of the last request, its length with its body, and what its path and fields say. */
  #head: Buffer = NOTHING;
  #requestBytes = -1;
  #profile: ProfileId = 'ledger';
  #minBlock = 0;
  patienceMs: number;
  #hasMoved = false;
  /** What is to be written next; undefined for nothing but a head. */
  #ready: string | undefined;
  /** What is to be written next in the place of a response; undefined where there is one. */
  #refusal: HttpAnswer | undefined;

  constructor(service: DirectService, requests: CommonRequests, connection: Connection, socket: Socket) {
    this.#service = service;
    this.#requests = requests;
    this.#connection = connection;
    this.#socket = socket;
    this.#socket
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('close', this.#onClose)
      .on('error', ignore);
    this.patienceMs = this.#waitMs();
    service.watch.add(this);
  }

  takeMoved(): boolean {
    const moved = this.#hasMoved;
    this.#hasMoved = false;
    return moved;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#hasMoved = true;
    this.#connection.account.release('requests', this.#aheadBytes);
    this.#aheadBytes = 0;
    if (this.#isWorking) this.#putBack(chunk);
    else this.#read(chunk);
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#isWorking) {
      askWhileHalfClosed(this.#socket, () => this.#isAsked);
      return;
    }
    this.#service.watch.delete(this);
    if (this.#kept.length > 0) this.#service.refuseUnfinished(this.#socket);
    else this.#socket.end();
  };

  /** The client has sent nothing for as long as it may. */
  giveUp(): void {
    if (this.#isWorking) return;
    if (this.#kept.length > 0 || !this.#hasServed) this.#handOver();
    else this.#socket.destroy();
  }

  /** The client has taken nothing for as long as it may. */
  readonly #onStalled = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => this.#service.watch.delete(this);

  /**
   * Puts bytes of later requests back into the socket and stops reading. Their end of stream then stays behind them: a
   * connection whose end was read cannot be handed over.
   */
  #putBack(bytes: Buffer): void {
    this.#socket.pause();
    this.#socket.unshift(bytes);
    this.#aheadBytes = this.#socket.readableLength;
    this.#connection.hold(this.#aheadBytes);
  }

  #keep(bytes: Buffer): void {
    this.#kept = bytes;
    this.#connection.hold(bytes.length);
  }

  #takeKept(): Buffer {
    const kept = this.#kept;
    this.#kept = NOTHING;
    this.#connection.account.release('requests', kept.length);
    return kept;
  }

  #read(chunk: Buffer): void {
    const isSecondPiece = this.#kept.length > 0;
    if (!isSecondPiece && this.#isAsBefore(chunk)) {
      this.#serve(chunk.subarray(this.#head.length));
      return;
    }
    const bytes = isSecondPiece ? Buffer.concat([this.#takeKept(), chunk]) : chunk;
    const reading = this.#requests.read(bytes);
    if (reading.kind === 'whole') {
      this.#serveFirst(bytes, reading);
      return;
    }
    this.#keep(bytes);
    // A head and its body may come one after the other; whoever sends smaller pieces is served by the full server.
    if (reading.kind !== 'unfinished' || isSecondPiece) this.#handOver();
    else this.#allow(this.#waitMs());
  }

  /** Serves the request that bytes begin with. What follows was sent ahead, and waits. */
  #serveFirst(bytes: Buffer, { bodyStart, end, profile, minBlock }: CommonRequest): void {
    this.#profile = profile;
    this.#minBlock = minBlock;
    if (end < bytes.length) {
      // What was remembered of the request before does not go with what this one says.
      this.#requestBytes = -1;
      this.#putBack(bytes.subarray(end));
    } else {
      this.#head = Buffer.from(bytes.subarray(0, bodyStart));
      this.#requestBytes = end;
    }
    this.#serve(bytes.subarray(bodyStart, end));
  }

  /** Whether a request has the same head as the one before. */
  #isAsBefore(bytes: Buffer): boolean {
    const { length } = this.#head;
    return bytes.length === this.#requestBytes && this.#head.compare(bytes, 0, length) === 0;
  }

  #serve(body: Uint8Array): void {
    const { connections, dispatcher, waits } = this.#service;
    const connection = this.#connection;
    this.#isWorking = true;
    this.#isAsked = true;
    connection.requests += 1;
    const fail = (): void => refuseFailed(this.#socket, this.#service.parseTurns);
    try {
      const answer =
        this.#minBlock > 0 && this.#minBlock > waits.head
          ? this.#serveLater(body)
          : dispatcher.handle(body, connection, this.#profile);
      if (answer instanceof Promise) {
        connections.work(connection);
        this.#heldBytes = body.length;
        connection.account.hold('requests', body.length);
        answer.then((settled) => this.#answer(settled), fail);
      } else {
        this.#answer(answer);
      }
    } catch {
      fail();
    }
  }

  /** Serves a request when the block is here that it names. */
  async #serveLater(body: Uint8Array): Promise<Response> {
    const { dispatcher, waits } = this.#service;
    this.#refusal = await waits.reach(this.#minBlock, this.#connection);
    if (this.#refusal !== undefined) return undefined;
    return dispatcher.handle(body, this.#connection, this.#profile);
  }

  #answer(response: Response): void {
    this.#isAsked = false;
    const body = response === undefined ? undefined : bytesIfLong(response);
    if (body instanceof ResponseBody) {
      if (body.rest === undefined) this.#writeLong(body);
      else void this.#answerInPieces(body.rest);
      return;
    }
    this.#ready = body;
    this.#service.batch.add(this);
  }

  /** Writes a long response by and by. */
  #writeLong({ length, ownBytes, buffers }: ResponseBody): void {
    const { connections, heads, limits, longAnswers, polling } = this.#service;
    const [socket, connection] = [this.#socket, this.#connection];
    const head = Buffer.from(heads.ofAnswer(length), 'latin1');
    connections.answer(connection, head.length + length, ownBytes);
    this.#release();
    // The socket's own time-out knows of bytes that go, however slowly.
    socket.setTimeout(limits.stalledTimeoutMs, this.#onStalled);
    longAnswers.write([head, ...buffers], {
      connection,
      write: (part, taken) => writeTogether(socket, part, taken),
      end: () => {
        this.#finishWritten();
        polling.begin();
      },
    });
  }

  /** Writes a response piece by piece; where it is not whole in the end, neither is what the client gets. */
  async #answerInPieces(rest: AsyncIterable<Buffer>): Promise<void> {
    const { connections, heads, limits } = this.#service;
    const [socket, connection] = [this.#socket, this.#connection];
    this.#release();
    socket.write(heads.ofPieces(), 'latin1');
    const isWhole = await givePieces(rest, { connections, connection }, (piece, taken) => {
      // While the client has something to take, and not while the next piece is made.
      socket.setTimeout(limits.stalledTimeoutMs, this.#onStalled);
      socket.cork();
      socket.write(`${piece.length.toString(16)}\r\n`, 'latin1');
      socket.write(piece);
      socket.write('\r\n', 'latin1', (error) => {
        socket.setTimeout(0, this.#onStalled);
        taken(error);
      });
      socket.uncork();
    });
    if (isWhole) socket.write('0\r\n\r\n', 'latin1', () => this.#finishWritten());
    else socket.destroy();
  }

  /** Writes the response that is ready. */
  write(): void {
    const { connections, heads, limits, polling } = this.#service;
    const socket = this.#socket;
    const answer = this.#ready;
    this.#ready = undefined;
    const refusal = this.#refusal;
    this.#refusal = undefined;
    if (refusal !== undefined) {
      socket.write(heads.ofRefusal(refusal) + String(refusal.body ?? ''), 'utf8');
    } else if (answer === undefined) {
      socket.write(heads.ofNothing(), 'latin1');
    } else {
      const length = Buffer.byteLength(answer);
      socket.write(heads.ofAnswer(length) + answer, length === answer.length ? 'latin1' : 'utf8');
    }
    if (socket.writableLength > 0) connections.answer(this.#connection, socket.writableLength);
    if (this.#connection.account.bytes > 0) this.#release();
    if (socket.writableLength === 0) {
      this.#allow(limits.keepAliveTimeoutMs);
      this.#finish();
      polling.begin();
      return;
    }
    // The socket's own time-out knows of bytes that go, however slowly.
    socket.setTimeout(limits.stalledTimeoutMs, this.#onStalled);
    // Called when everything before it is taken.
    socket.write('', () => this.#finishWritten());
  }

  /** The client has taken the last of what it had to wait for. */
  #finishWritten(): void {
    this.#socket.setTimeout(0, this.#onStalled);
    this.#allow(this.#service.limits.keepAliveTimeoutMs);
    this.#finish();
  }

  /** The body has done its work, and its response has been given to the socket. */
  #release(): void {
    const { account } = this.#connection;
    account.release('requests', this.#heldBytes);
    account.release('answers');
    this.#heldBytes = 0;
  }

  #finish(): void {
    this.#isWorking = false;
    this.#hasServed = true;
    this.#service.connections.finish(this.#connection);
    if (this.#socket.destroyed) return;
    if (this.#socket.isPaused()) {
      this.#socket.resume();
      // Without this call, bytes from the socket's buffer come only after this turn of the event loop.
      this.#socket.read();
    } else if (this.#hasEnded) this.#socket.end();
  }

  /** Milliseconds that a client has for a request before the full server watches it, which has its own bounds. */
  #waitMs(): number {
    const { headersTimeoutMs, requestTimeoutMs } = this.#service.limits;
    return Math.min(DIRECT_WAIT_MS_MAX, Math.ceil(Math.min(headersTimeoutMs, requestTimeoutMs) / 2));
  }

  /** Closes the connection, or hands it over, when nothing moves on it for so long from now on. */
  #allow(milliseconds: number): void {
    this.patienceMs = milliseconds;
    this.#hasMoved = true;
  }

  #handOver(): void {
    const socket = this.#socket;
    socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    this.#service.watch.delete(this);
    socket.pause();
    if (this.#kept.length > 0) socket.unshift(this.#takeKept());
    this.#service.handOver(socket);
  }
}

/** The socket closes after an error, and nothing is left to do. */
function ignore(): void {}
