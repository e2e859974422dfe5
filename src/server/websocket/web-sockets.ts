import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { InvalidRequestError, LimitError, type ProfileId } from '../../rpc/index.ts';
import { isWithinFairShare } from '../../scheduling/index.ts';
import { chainPathOf } from '../chain-routes.ts';
import type { Connection } from '../connections.ts';
import type { FrameListener } from '../framing.ts';
import type { HttpOptions, Upgrades } from '../http/request-plans.ts';
import { type HttpResponse, type RequestHead, refuseAndClose } from '../http-response.ts';
import { JsonChannel } from '../ipc/json-channel.ts';
import { type ProfilePaths, webSocketPaths } from '../profile-paths.ts';
import { targetOf } from '../routes.ts';
import { FrameParser, textFrames } from './frames.ts';
import {
  CLOSE_REASONS,
  type CloseReason,
  WebSocketConnection,
  type WebSocketService,
} from './web-socket-connection.ts';

/** Fragments of one WebSocket message. */
export const MESSAGE_FRAGMENTS_MAX = 4_096;

/** Dependencies of the WebSockets of a server. */
interface WebSocketsOptions
  extends Pick<
    HttpOptions,
    'dispatcher' | 'chains' | 'connections' | 'limits' | 'parseScheduler' | 'onRefused'
  > {
  /** The profile at `/`. */
  readonly root: ProfileId;
}

/**
 * The WebSockets of a server (RFC 6455, 4.2). Bounds their number and checks them periodically. The HTTP server has
 * checked Host and Origin: browsers open a WebSocket to another origin without a preflight request.
 */
export class WebSockets implements Upgrades {
  readonly #options: WebSocketsOptions;
  readonly #paths: ProfilePaths;
  readonly #server: WebSocketServer;
  readonly #all = new Set<WebSocketConnection>();
  readonly #byClient = new Map<string, number>();
  readonly closed = new Map<CloseReason, number>(CLOSE_REASONS.map((reason) => [reason, 0]));
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WebSocketsOptions) {
    this.#options = options;
    this.#paths = webSocketPaths(options.root);
    this.#server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      clientTracking: false,
      // Pongs are sent, and counted, with the responses.
      autoPong: false,
      maxPayload: options.limits.bodyBytesMax,
      maxFragments: MESSAGE_FRAGMENTS_MAX,
    });
  }

  get size(): number {
    return this.#all.size;
  }

  get subscriptions(): number {
    return this.#options.dispatcher.subscriptions.size;
  }

  get unreadBytes(): number {
    let bytes = 0;
    for (const { unreadBytes } of this.#all) bytes += unreadBytes;
    return bytes;
  }

  refusalOf({ target }: RequestHead, { client }: Connection): HttpResponse | undefined {
    const { chains } = this.#options;
    const endpoint = this.#endpointOf(target);
    if (endpoint === undefined || (endpoint.chain !== undefined && chains === undefined)) {
      const paths = [...this.#paths.keys()].filter((path) => !/.\/$/.test(path)).join(', ');
      return refuseAndClose(404, new InvalidRequestError(`not found: WebSockets are at ${paths}`));
    }
    const refusal = endpoint.chain === undefined ? undefined : chains?.refusalOf(endpoint.chain);
    if (refusal !== undefined) return refuseAndClose(503, refusal);
    if (this.#mayOpen(client)) return undefined;
    this.#options.onRefused('connections');
    const { webSocketsMax } = this.#options.limits;
    const own = this.#byClient.get(client) ?? 0;
    const message = `this client has ${own} WebSockets, its share of the limit of ${webSocketsMax} (--max-websockets)`;
    return refuseAndClose(503, new LimitError(message));
  }

  open(
    { method, target: url, headers }: RequestHead,
    socket: Socket,
    rest: Buffer,
    connection: Connection,
  ): void {
    this.#options.connections.upgrade(connection);
    // The library reads only these properties of a request; it responds to a malformed one.
    const request = { method, url, headers } as unknown as IncomingMessage;
    const { profile, chain } = this.#endpointOf(url) ?? { profile: this.#options.root, chain: undefined };
    const further = chain === undefined ? undefined : this.#options.chains?.callsOf(chain);
    const dispatcher = further ?? this.#options.dispatcher;
    this.#server.handleUpgrade(request, socket, rest, (webSocket) => {
      const parser = (listener: FrameListener): FrameParser => new FrameParser(socket, listener);
      const framing = { parser, encode: textFrames };
      const service = { ...this.#options, dispatcher };
      this.#add(service, (served) => {
        return new WebSocketConnection(served, connection, profile, webSocket, socket, framing);
      });
    });
  }

  /** Serves the profile at `/` by a stream of JSON values; closes it at the bound of WebSockets. */
  openStream(socket: Socket): void {
    const { connections, limits, root, onRefused } = this.#options;
    const connection = connections.open(socket);
    if (connection === undefined) return;
    if (!this.#mayOpen(connection.client)) {
      onRefused('connections');
      socket.destroy();
      return;
    }
    connections.upgrade(connection);
    const channel = new JsonChannel(socket, limits.bodyBytesMax);
    // A local client that disappears closes its socket: no ping has to find out.
    const service = { ...this.#options, limits: { ...limits, webSocketPingMs: Number.POSITIVE_INFINITY } };
    this.#add(service, (served) => {
      // It has the members that a connection uses.
      const webSocket = channel as unknown as WebSocket;
      return new WebSocketConnection(served, connection, root, webSocket, socket, channel);
    });
  }

  #add(
    service: Omit<WebSocketService, 'onClosed'>,
    connect: (service: WebSocketService) => WebSocketConnection,
  ): void {
    const opened = connect({ ...service, onClosed: (reason) => this.#remove(opened, reason) });
    this.#all.add(opened);
    this.#byClient.set(opened.client, (this.#byClient.get(opened.client) ?? 0) + 1);
    this.#timer ??= setInterval(() => this.#check(), this.#options.limits.webSocketCheckMs).unref();
  }

  #mayOpen(client: string): boolean {
    const { webSocketsMax } = this.#options.limits;
    return isWithinFairShare(this.#byClient.get(client) ?? 0, 1, this.#all.size, webSocketsMax);
  }

  /** Closes all WebSockets, with the reason that the node stops. */
  close(): void {
    for (const webSocket of this.#all) webSocket.shutDown();
  }

  #endpointOf(target: string): Endpoint | undefined {
    const path = targetOf(target)?.path ?? '';
    const below = chainPathOf(path);
    const profile = this.#paths.get(below === undefined ? path : below.rest || '/');
    return profile && { profile, chain: below?.number };
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

/** The profile and the chain of a WebSocket; undefined for the chain of the node itself. */
interface Endpoint {
  readonly profile: ProfileId;
  readonly chain: number | undefined;
}
