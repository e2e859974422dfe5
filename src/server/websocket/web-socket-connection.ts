import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import type { Caller, Message, ProfileId, Response, Subscriber } from '../../rpc/index.ts';
import type { CallService } from '../chain-routes.ts';
import type { Connection } from '../connections.ts';
import type { Framing } from '../framing.ts';
import type { ParseScheduler } from '../parse-scheduler.ts';
import type { ServerLimits } from '../server-limits.ts';
import { SocketReader } from '../socket-reader.ts';

/** Requests of one WebSocket whose responses are unread; at this bound the node stops reading from it. */
export const WEBSOCKET_REQUESTS_MAX = 100;
/** Bytes of memory that a fragment of a WebSocket message takes beside its content. */
export const FRAGMENT_BYTES = 128;
/** Unread bytes of a WebSocket client beyond which it gets no more notifications (8 MiB). */
const WEBSOCKET_UNREAD_BYTES_MAX = 8 * 1024 * 1024;
/** Bytes of the reason in a close frame (RFC 6455, 5.5). */
const CLOSE_REASON_BYTES_MAX = 123;

export const CLOSE_REASONS = [
  /** The client closed it, or disconnected. */
  'client',
  /** The client stopped reading. */
  'slow',
  /** The client sent no pong. */
  'silent',
  /** The client missed notifications that are no longer stored. */
  'missed',
  /** A message took too long to arrive. */
  'timeout',
  /** The bound of the bytes held for all clients. */
  'memory',
  /** A message that breaks the protocol, or is too long. */
  'malformed',
  'shutdown',
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Status codes of a close frame (RFC 6455, 7.4.1, and IANA's registry). */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const TRY_AGAIN_LATER = 1013;
/** Bytes of a client's ping or pong before its payload: opcode, length and mask (RFC 6455, 5.2 and 5.5). */
const CONTROL_FRAME_HEAD_BYTES = 6;
const BATCH_START = '['.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

/** The shared services of the WebSockets of a server. */
export interface WebSocketService {
  readonly dispatcher: CallService;
  readonly limits: ServerLimits;
  readonly parseScheduler: ParseScheduler;
  onClosed(reason: CloseReason): void;
}

interface QueuedMessage {
  readonly body: Buffer;
  readonly isBatch: boolean;
}

/**
 * A WebSocket, or a stream of JSON values at a Unix socket. Requests are text messages, single or batch, and responses
 * may be sent in another order. Only batches run one after the other, since the memory of a connection is counted for
 * one batch at a time.
 */
export class WebSocketConnection implements Subscriber {
  readonly client: string;
  readonly #service: WebSocketService;
  readonly #connection: Connection;
  readonly #profile: ProfileId;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #framing: Framing;
  readonly #reader: SocketReader;
  readonly #queue: QueuedMessage[] = [];
  /** Number of requests and pings with a pending or unread response. */
  #pending = 0;
  #hasBatch = false;
  /** Counted unread bytes. */
  #unreadBytes = 0;
  /** Sent bytes at the last progress, and its time. */
  #sentBytes = 0;
  #progressAt: number;
  #pingAt: number;
  #hasReceived = true;
  #wasBehind = false;
  #reason: CloseReason = 'client';
  /** Time at which closing began; undefined while it is open. */
  #closingSince: number | undefined;
  /** True after the last frame: nothing more is read. */
  #isOver = false;
  /** True once the client has sent its last byte: the connection ends with the last response. */
  #hasEnded = false;

  constructor(
    service: WebSocketService,
    connection: Connection,
    profile: ProfileId,
    webSocket: WebSocket,
    socket: Socket,
    framing: Framing,
  ) {
    this.client = connection.client;
    this.#service = service;
    this.#connection = connection;
    this.#profile = profile;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#framing = framing;
    this.#progressAt = performance.now();
    this.#pingAt = this.#progressAt;
    connection.refuseForMemory = () => this.#refuseForMemory();
    const parser = framing.parser({
      onBytes: (bytes, fragments) => this.#receive(bytes + fragments * FRAGMENT_BYTES),
      onLastFrame: () => this.#stopReading(),
    });
    this.#reader = new SocketReader(socket, connection, parser, service.parseScheduler);
    socket.on('drain', () => this.#onDrain());
    socket.once('end', () => {
      this.#hasEnded = true;
      this.#closeIfDone();
    });
    webSocket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    webSocket.on('ping', (payload) => this.#onPing(payload));
    webSocket.on('pong', (payload) => this.#onControlFrame(payload));
    webSocket.on('error', () => {
      this.#note('malformed');
      this.#stopReading();
    });
    webSocket.on('close', () => this.#onClose());
  }

  /** Sent bytes that the client has not read. */
  get unreadBytes(): number {
    return this.#socket.writableLength;
  }

  get isOpen(): boolean {
    return this.#closingSince === undefined && this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  notify(messages: readonly Message[]): void {
    if (!this.isOpen) return;
    // Without compression `ws` queues nothing, so these frames are not within its frames.
    this.#socket.write(this.#framing.encode(messages));
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

  /** Checks the progress; called periodically. */
  check(now: number): void {
    if (this.#isOver) return;
    if (this.#closingSince !== undefined) {
      // A client that does not read does not get the close frame.
      if (now > this.#closingSince) this.#webSocket.terminate();
      return;
    }
    this.#countUnread();
    const sent = this.#socket.bytesWritten - this.unreadBytes;
    if (sent !== this.#sentBytes || this.unreadBytes === 0) {
      this.#sentBytes = sent;
      this.#progressAt = now;
    } else if (now - this.#progressAt > this.#service.limits.webSocketStalledMs) {
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
    if (!this.#hasReceived && !this.#socket.isPaused()) {
      this.#note('silent');
      this.#webSocket.terminate();
      return;
    }
    this.#hasReceived = false;
    this.#webSocket.ping();
  }

  /** Counts incoming bytes; returns false if they exceed the memory budget. */
  #receive(bytes: number): boolean {
    this.#hasReceived = true;
    const connection = this.#connection;
    if (connection.partialBytes === 0) connection.slowSince = performance.now();
    if (connection.budget.holdRequest(bytes)) {
      connection.partialBytes += bytes;
      return true;
    }
    this.#refuseForMemory();
    return false;
  }

  /** Closes at once, after the close frame: the library holds the incomplete message until then. */
  #refuseForMemory(): void {
    this.#end('memory', TRY_AGAIN_LATER, this.#connection.budget.refusal.message);
    this.#releasePartial();
    this.#webSocket.terminate();
  }

  /** Stops reading after a close frame or a malformed one. The client receives the reason. */
  #stopReading(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#releasePartial();
    this.#reader.endLingering();
  }

  #releasePartial(): void {
    this.#connection.budget.release('requests', this.#connection.partialBytes);
    this.#connection.partialBytes = 0;
  }

  /** Responds to a ping. Unread pongs are bounded like responses. */
  #onPing(payload: Buffer): void {
    this.#onControlFrame(payload);
    if (!this.isOpen) return;
    this.#pending += 1;
    this.#webSocket.pong(payload, false, this.#onSent);
    if (this.#isFull()) this.#reader.pause();
  }

  /** Releases the bytes of a ping or a pong, which may arrive between the fragments of a message. */
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
      this.#queue.push(message);
      this.#connection.budget.hold('requests', data.length);
    }
    if (this.#isFull()) this.#reader.pause();
  }

  /** Returns true at the bound of requests: reading continues when the client has read a response. */
  #isFull(): boolean {
    return this.#pending + this.#queue.length >= WEBSOCKET_REQUESTS_MAX;
  }

  #mayBegin({ isBatch }: QueuedMessage): boolean {
    return this.#pending < WEBSOCKET_REQUESTS_MAX && !(isBatch && this.#hasBatch);
  }

  #begin({ body, isBatch }: QueuedMessage): void {
    this.#pending += 1;
    if (isBatch) this.#hasBatch = true;
    const callbacks: (() => void)[] = [];
    const caller = this.#callerOf(callbacks);
    const response = this.#service.dispatcher.handle(body, caller, this.#profile);
    if (!(response instanceof Promise)) {
      this.#respond(response, callbacks, isBatch);
      return;
    }
    const { budget } = this.#connection;
    budget.hold('requests', body.length);
    void response.then((settled) => {
      budget.release('requests', body.length);
      this.#respond(settled, callbacks, isBatch);
      this.#continue();
    });
  }

  /** Returns the caller of one message. @param callbacks receives functions to call after its response was written */
  #callerOf(callbacks: (() => void)[]): Caller {
    const { client, admit, budget } = this.#connection;
    const afterResponse = (callback: () => void): void => void callbacks.push(callback);
    const notifications = { subscriber: this, afterResponse };
    const isGone = (): boolean => this.#connection.isGone();
    return { client, admit, budget, connection: this, notifications, isGone };
  }

  #respond(response: Response, callbacks: readonly (() => void)[], isBatch: boolean): void {
    if (isBatch) {
      this.#hasBatch = false;
      this.#connection.budget.release('answers');
    }
    if (response === undefined || !this.isOpen) {
      this.#pending -= 1;
      this.#closeIfDone();
      return;
    }
    const message = typeof response === 'string' ? response : response.gathered();
    this.#webSocket.send(message, { binary: false }, this.#onSent);
    if (this.unreadBytes > 0) this.#countUnread();
    for (const callback of callbacks) callback();
  }

  /** Begins queued messages that may begin, and then continues to read. */
  #continue(): void {
    for (;;) {
      const index = this.#queue.findIndex((message) => this.#mayBegin(message));
      const [next] = index < 0 ? [] : this.#queue.splice(index, 1);
      if (next === undefined) break;
      this.#connection.budget.release('requests', next.body.length);
      this.#begin(next);
    }
    if (!this.#isFull() && this.isOpen) this.#reader.resume();
  }

  /** Notes that the system has accepted a response, or that the client has disconnected. */
  readonly #onSent = (): void => {
    const wasFull = this.#isFull();
    this.#pending -= 1;
    if (wasFull || this.#queue.length > 0) this.#continue();
    this.#closeIfDone();
  };

  /** Closes the connection of a client that has sent its last request and has received its last response. */
  #closeIfDone(): void {
    if (this.#hasEnded && this.#pending === 0 && this.#queue.length === 0) this.#webSocket.close();
  }

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
    this.#queue.length = 0;
    this.#service.dispatcher.subscriptions.removeAll(this);
    this.#service.onClosed(this.#reason);
  }
}

/** Returns true for a batch: the first character after white space is `[`. */
function isBatch(text: Buffer): boolean {
  let index = 0;
  while ((text[index] ?? BATCH_START) <= SPACE) index += 1;
  return text[index] === BATCH_START;
}
