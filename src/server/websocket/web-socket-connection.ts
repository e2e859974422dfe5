import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import {
  CLOSE_REASON_BYTES_MAX,
  FRAGMENT_BYTES,
  WEBSOCKET_REQUESTS_MAX,
  WEBSOCKET_UNREAD_BYTES_MAX,
} from '../../limits.ts';
import type { Caller, Dispatcher, Message, ProfileId, Response, Subscriber } from '../../rpc/index.ts';
import type { Connection } from '../connections.ts';
import type { ParseScheduler } from '../parse-scheduler.ts';
import type { ServerLimits } from '../server-limits.ts';
import { SocketReader } from '../socket-reader.ts';
import { FrameParser, textFrames } from './frames.ts';

/** Reasons for the end of a WebSocket. */
export const CLOSE_REASONS = [
  /** Its client closed it, or is gone. */
  'client',
  /** Its client stopped reading. */
  'slow',
  /** Its client did not answer a ping. */
  'silent',
  /** The client missed notifications that do not exist any more. */
  'missed',
  /** A message took too long to arrive. */
  'timeout',
  /** Bytes held for all clients together. */
  'memory',
  /** A message that breaks the protocol, or is too long. */
  'malformed',
  /** The node stops. */
  'shutdown',
] as const;
/** Reason for the end of a WebSocket, as the metrics count it. */
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Status codes of a close frame (RFC 6455, 7.4.1, and IANA's registry). */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const TRY_AGAIN_LATER = 1013;
/** Bytes of a client's ping or pong before its payload: opcode, length and mask (RFC 6455, 5.2 and 5.5). */
const CONTROL_FRAME_HEAD_BYTES = 6;
/** First character of a batch. */
const BATCH_START = '['.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

/** The parts that the WebSockets of a server share. */
export interface WebSocketService {
  readonly dispatcher: Dispatcher;
  readonly limits: ServerLimits;
  readonly parseScheduler: ParseScheduler;
  onClosed(reason: CloseReason): void;
}

interface QueuedMessage {
  readonly body: Buffer;
  readonly isBatch: boolean;
}

/**
 * One WebSocket: requests come in text messages, single or batch, and their responses may overtake each other. Only
 * batches wait for each other, since the memory of a connection is counted batch by batch.
 */
export class WebSocketConnection implements Subscriber {
  readonly client: string;
  readonly #service: WebSocketService;
  readonly #connection: Connection;
  readonly #profile: ProfileId;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #reader: SocketReader;
  readonly #waiting: QueuedMessage[] = [];
  /** Requests and pings whose responses the client has not taken. */
  #unanswered = 0;
  #hasBatch = false;
  /** Counted bytes that the client has to take. */
  #unreadBytes = 0;
  /** Bytes that the client had taken at the last progress, and its time. */
  #takenBytes = 0;
  #takenAt: number;
  #pingAt: number;
  #isHeard = true;
  #wasBehind = false;
  #reason: CloseReason = 'client';
  /** Time at which closing began; undefined while it is open. */
  #closingSince: number | undefined;
  /** True if nothing more is read. */
  #isOver = false;

  constructor(
    service: WebSocketService,
    connection: Connection,
    profile: ProfileId,
    webSocket: WebSocket,
    socket: Socket,
  ) {
    this.client = connection.client;
    this.#service = service;
    this.#connection = connection;
    this.#profile = profile;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#takenAt = performance.now();
    this.#pingAt = this.#takenAt;
    connection.refuseForMemory = () => this.#refuseForMemory();
    const parser = new FrameParser(socket, {
      onBytes: (bytes, fragments) => this.#receive(bytes + fragments * FRAGMENT_BYTES),
      onLastFrame: () => this.#readNoMore(),
    });
    this.#reader = new SocketReader(socket, connection, parser, service.parseScheduler);
    socket.on('drain', () => this.#onDrain());
    webSocket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    webSocket.on('ping', (payload) => this.#onPing(payload));
    webSocket.on('pong', (payload) => this.#onControlFrame(payload));
    webSocket.on('error', () => {
      this.#note('malformed');
      this.#readNoMore();
    });
    webSocket.on('close', () => this.#onClose());
  }

  /** Bytes that the client has not taken. */
  get unreadBytes(): number {
    return this.#socket.writableLength;
  }

  get isOpen(): boolean {
    return this.#closingSince === undefined && this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  notify(messages: readonly Message[]): void {
    if (!this.isOpen) return;
    // Without compression `ws` queues nothing, so these frames are between its own.
    this.#socket.write(textFrames(messages));
    if (this.unreadBytes > 0) this.#countUnread();
  }

  isBehind(): boolean {
    if (!this.isOpen) return true;
    const isBehind = this.unreadBytes > WEBSOCKET_UNREAD_BYTES_MAX || !this.#connection.budget.mayContinue();
    if (isBehind) this.#wasBehind = true;
    return isBehind;
  }

  disconnect(reason: string): void {
    this.#end('missed', TRY_AGAIN_LATER, reason);
  }

  shutDown(): void {
    this.#end('shutdown', GOING_AWAY, 'the node stops');
  }

  /** Checks its progress; called periodically. */
  check(now: number): void {
    if (this.#isOver) return;
    if (this.#closingSince !== undefined) {
      // A client that does not read does not see the close frame either.
      if (now > this.#closingSince) this.#webSocket.terminate();
      return;
    }
    this.#countUnread();
    const taken = this.#socket.bytesWritten - this.unreadBytes;
    if (taken !== this.#takenBytes || this.unreadBytes === 0) {
      this.#takenBytes = taken;
      this.#takenAt = now;
    } else if (now - this.#takenAt > this.#service.limits.webSocketStalledMs) {
      this.#end('slow', TRY_AGAIN_LATER, 'too slow');
      return;
    }
    const { partialBytes, slowSince } = this.#connection;
    if (partialBytes > 0 && now - slowSince > this.#service.limits.requestTimeoutMs) {
      this.#note('timeout');
      this.#webSocket.terminate();
      return;
    }
    this.#ping(now);
    this.#onDrain();
  }

  #ping(now: number): void {
    if (now - this.#pingAt < this.#service.limits.webSocketPingMs) return;
    this.#pingAt = now;
    if (!this.#isHeard && !this.#socket.isPaused()) {
      this.#note('silent');
      this.#webSocket.terminate();
      return;
    }
    this.#isHeard = false;
    this.#webSocket.ping();
  }

  /** Counts incoming bytes; returns false if there is no room for them. */
  #receive(bytes: number): boolean {
    this.#isHeard = true;
    const connection = this.#connection;
    if (connection.partialBytes === 0) connection.slowSince = performance.now();
    if (connection.budget.holdRequest(bytes)) {
      connection.partialBytes += bytes;
      return true;
    }
    this.#refuseForMemory();
    return false;
  }

  /** Closes at once, behind the close frame: the library keeps the beginning of a message until then. */
  #refuseForMemory(): void {
    this.#end('memory', TRY_AGAIN_LATER, this.#connection.budget.refusal.message);
    this.#releasePartial();
    this.#webSocket.terminate();
  }

  /** Ends the reading after a close frame or a malformed one. The client receives the reason. */
  #readNoMore(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#releasePartial();
    this.#reader.endLingering();
  }

  #releasePartial(): void {
    this.#connection.budget.release('requests', this.#connection.partialBytes);
    this.#connection.partialBytes = 0;
  }

  /** Responds to a ping. Pongs that the client does not take are bounded like responses. */
  #onPing(payload: Buffer): void {
    this.#onControlFrame(payload);
    if (!this.isOpen) return;
    this.#unanswered += 1;
    this.#webSocket.pong(payload, false, this.#onTaken);
    if (this.#isFull()) this.#reader.pause();
  }

  /** Releases the bytes of a ping or a pong, which may come in the middle of a message. */
  #onControlFrame(payload: Buffer): void {
    const connection = this.#connection;
    const bytes = Math.min(connection.partialBytes, CONTROL_FRAME_HEAD_BYTES + payload.length);
    connection.budget.release('requests', bytes);
    connection.partialBytes -= bytes;
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    this.#releasePartial();
    if (!this.isOpen) return;
    if (isBinary || !Buffer.isBuffer(data)) {
      this.#end('malformed', UNSUPPORTED_DATA, 'requests come as text');
      return;
    }
    const message: QueuedMessage = { body: data, isBatch: isBatch(data) };
    if (this.#mayBegin(message)) {
      this.#begin(message);
    } else {
      this.#waiting.push(message);
      this.#connection.budget.hold('requests', data.length);
    }
    if (this.#isFull()) this.#reader.pause();
  }

  /** Returns true if no more is read before the client takes a response. */
  #isFull(): boolean {
    return this.#unanswered + this.#waiting.length >= WEBSOCKET_REQUESTS_MAX;
  }

  #mayBegin({ isBatch }: QueuedMessage): boolean {
    return this.#unanswered < WEBSOCKET_REQUESTS_MAX && !(isBatch && this.#hasBatch);
  }

  #begin({ body, isBatch }: QueuedMessage): void {
    this.#unanswered += 1;
    if (isBatch) this.#hasBatch = true;
    const callbacks: (() => void)[] = [];
    const caller = this.#callerOf(callbacks);
    const answer = this.#service.dispatcher.handle(body, caller, this.#profile);
    if (!(answer instanceof Promise)) {
      this.#answer(answer, callbacks, isBatch);
      return;
    }
    const { budget } = this.#connection;
    budget.hold('requests', body.length);
    void answer.then((settled) => {
      budget.release('requests', body.length);
      this.#answer(settled, callbacks, isBatch);
      this.#goOn();
    });
  }

  /** Returns the caller of one message. @param callbacks gets what is called once its response was written */
  #callerOf(callbacks: (() => void)[]): Caller {
    const { client, admit, budget } = this.#connection;
    const afterResponse = (callback: () => void): void => void callbacks.push(callback);
    const notifications = { subscriber: this, afterResponse };
    const isGone = (): boolean => this.#connection.isGone();
    return { client, admit, budget, connection: this, notifications, isGone };
  }

  #answer(response: Response, callbacks: readonly (() => void)[], isBatch: boolean): void {
    if (isBatch) {
      this.#hasBatch = false;
      this.#connection.budget.release('answers');
    }
    if (response === undefined || !this.isOpen) {
      this.#unanswered -= 1;
      return;
    }
    const message = typeof response === 'string' ? response : response.gathered();
    this.#webSocket.send(message, { binary: false }, this.#onTaken);
    if (this.unreadBytes > 0) this.#countUnread();
    for (const callback of callbacks) callback();
  }

  /** Begins queued messages, and continues to read when there are none. */
  #goOn(): void {
    for (;;) {
      const index = this.#waiting.findIndex((waiting) => this.#mayBegin(waiting));
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (next === undefined) break;
      this.#connection.budget.release('requests', next.body.length);
      this.#begin(next);
    }
    if (!this.#isFull() && this.isOpen) this.#reader.resume();
  }

  /** Notes that the client has taken a response, or is gone. */
  readonly #onTaken = (): void => {
    const wasFull = this.#isFull();
    this.#unanswered -= 1;
    if (wasFull || this.#waiting.length > 0) this.#goOn();
  };

  #onDrain(): void {
    this.#countUnread();
    if (!this.#wasBehind || this.isBehind()) return;
    this.#wasBehind = false;
    this.#service.dispatcher.subscriptions.resume(this);
  }

  #countUnread(): void {
    const bytes = this.unreadBytes;
    const { budget } = this.#connection;
    if (bytes > this.#unreadBytes) budget.holdUnread(bytes - this.#unreadBytes);
    else budget.release('unread', this.#unreadBytes - bytes);
    this.#unreadBytes = bytes;
  }

  #note(reason: CloseReason): void {
    if (this.#reason === 'client') this.#reason = reason;
  }

  #end(reason: CloseReason, code: number, text: string): void {
    if (this.#closingSince !== undefined) return;
    this.#note(reason);
    this.#closingSince = performance.now();
    this.#webSocket.close(code, Buffer.from(text).subarray(0, CLOSE_REASON_BYTES_MAX));
  }

  #onClose(): void {
    this.#closingSince ??= performance.now();
    this.#waiting.length = 0;
    this.#service.dispatcher.subscriptions.removeAll(this);
    this.#service.onClosed(this.#reason);
  }
}

/** Returns true for a batch, by the first character that is no space. */
function isBatch(text: Buffer): boolean {
  let index = 0;
  while ((text[index] ?? BATCH_START) <= SPACE) index += 1;
  return text[index] === BATCH_START;
}
