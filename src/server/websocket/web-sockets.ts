import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { MESSAGE_FRAGMENTS_MAX } from '../../limits.ts';
import { type Dispatcher, LimitError, type ProfileId } from '../../rpc/index.ts';
import { mayHaveMore } from '../../scheduling/index.ts';
import type { Connection } from '../connections.ts';
import type { RequestHead } from '../http-answer.ts';
import type { ParseTurns } from '../parse-turns.ts';
import type { ServerLimits } from '../server-limits.ts';
import { CLOSE_REASONS, type CloseReason, WebSocketConnection } from './web-socket-connection.ts';

/** The WebSockets of a server: how many there may be, and how each is doing. */
export class WebSockets {
  readonly #dispatcher: Dispatcher;
  readonly #limits: ServerLimits;
  readonly #parseTurns: ParseTurns;
  readonly #server: WebSocketServer;
  readonly #all = new Set<WebSocketConnection>();
  readonly #byClient = new Map<string, number>();
  readonly closed = new Map<CloseReason, number>(CLOSE_REASONS.map((reason) => [reason, 0]));
  #timer: NodeJS.Timeout | undefined;

  constructor(dispatcher: Dispatcher, limits: ServerLimits, parseTurns: ParseTurns) {
    this.#dispatcher = dispatcher;
    this.#limits = limits;
    this.#parseTurns = parseTurns;
    this.#server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      clientTracking: false,
      // Pongs are sent, and counted, with the answers.
      autoPong: false,
      maxPayload: limits.bodyBytesMax,
      maxFragments: MESSAGE_FRAGMENTS_MAX,
    });
  }

  get size(): number {
    return this.#all.size;
  }

  get subscriptions(): number {
    return this.#dispatcher.subscriptions.size;
  }

  get unreadBytes(): number {
    let bytes = 0;
    for (const { unreadBytes } of this.#all) bytes += unreadBytes;
    return bytes;
  }

  /** Why there may be no further one for a client; undefined where there may. */
  refusalOf(client: string): LimitError | undefined {
    const { webSocketsMax } = this.#limits;
    const own = this.#byClient.get(client) ?? 0;
    if (mayHaveMore(own, 1, this.#all.size, webSocketsMax)) return undefined;
    return new LimitError(
      `this client has ${own} WebSockets, its share of the limit of ${webSocketsMax} (--max-websockets)`,
    );
  }

  /** Makes a WebSocket of a connection whose request asks for one; or answers that the request is not right. */
  open(
    { head, socket, rest }: { head: RequestHead; socket: Socket; rest: Buffer },
    connection: Connection,
    profile: ProfileId,
  ): void {
    const { method, target: url, headers } = head;
    // The library reads nothing else of a request.
    const request = { method, url, headers } as unknown as IncomingMessage;
    this.#server.handleUpgrade(request, socket, rest, (webSocket) => {
      const service = {
        dispatcher: this.#dispatcher,
        limits: this.#limits,
        parseTurns: this.#parseTurns,
        onClosed: (reason: CloseReason) => this.#remove(opened, reason),
      };
      const opened = new WebSocketConnection(service, connection, profile, webSocket, socket);
      this.#all.add(opened);
      this.#byClient.set(opened.client, (this.#byClient.get(opened.client) ?? 0) + 1);
      this.#timer ??= setInterval(() => this.#check(), this.#limits.webSocketCheckMs).unref();
    });
  }

  /** Ends all of them, saying so. */
  close(): void {
    for (const webSocket of this.#all) webSocket.shutDown();
  }

  #check(): void {
    const now = performance.now();
    for (const webSocket of this.#all) webSocket.check(now);
  }

  #remove(webSocket: WebSocketConnection, reason: CloseReason): void {
    this.#all.delete(webSocket);
    this.closed.set(reason, (this.closed.get(reason) ?? 0) + 1);
    const left = (this.#byClient.get(webSocket.client) ?? 1) - 1;
    if (left === 0) this.#byClient.delete(webSocket.client);
    else this.#byClient.set(webSocket.client, left);
    if (this.#all.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
