import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { MESSAGE_FRAGMENTS_MAX } from '../../limits.ts';
import { InvalidRequestError, LimitError, type ProfileId } from '../../rpc/index.ts';
import { isWithinFairShare } from '../../scheduling/index.ts';
import { ETHEREUM_PATH, ETHEREUM_PATHS } from '../access.ts';
import { chainPathOf } from '../chain-routes.ts';
import type { Connection } from '../connections.ts';
import type { HttpOptions, Upgrades } from '../http/request-plans.ts';
import { type HttpResponse, type RequestHead, refuseAndClose } from '../http-response.ts';
import { targetOf } from '../routes.ts';
import { CLOSE_REASONS, type CloseReason, WebSocketConnection } from './web-socket-connection.ts';

const PROFILES: ReadonlyMap<string, ProfileId> = new Map([
  ['/', 'ledger'],
  ['/ws', 'ledger'],
  [ETHEREUM_PATH, 'ethereum'],
  [`${ETHEREUM_PATH}/ws`, 'ethereum'],
]);

/** Dependencies of the WebSockets of a server. */
type WebSocketsOptions = Pick<
  HttpOptions,
  'dispatcher' | 'chains' | 'connections' | 'limits' | 'parseScheduler' | 'onRefused'
>;

/**
 * The WebSockets of a server (RFC 6455, 4.2). Bounds their number and checks them periodically. The HTTP server has
 * checked Host and Origin: browsers open a WebSocket to another origin without a preflight request.
 */
export class WebSockets implements Upgrades {
  readonly #options: WebSocketsOptions;
  readonly #server: WebSocketServer;
  readonly #all = new Set<WebSocketConnection>();
  readonly #byClient = new Map<string, number>();
  readonly closed = new Map<CloseReason, number>(CLOSE_REASONS.map((reason) => [reason, 0]));
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WebSocketsOptions) {
    this.#options = options;
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
    const endpoint = endpointOf(target);
    if (endpoint === undefined || (endpoint.chain !== undefined && chains === undefined)) {
      const paths = [...PROFILES.keys()].join(', ');
      return refuseAndClose(404, new InvalidRequestError(`not found: WebSockets are at ${paths}`));
    }
    const refusal = endpoint.chain === undefined ? undefined : chains?.refusalOf(endpoint.chain);
    if (refusal !== undefined) return refuseAndClose(503, refusal);
    const { webSocketsMax } = this.#options.limits;
    const own = this.#byClient.get(client) ?? 0;
    if (isWithinFairShare(own, 1, this.#all.size, webSocketsMax)) return undefined;
    this.#options.onRefused('connections');
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
    const { profile, chain } = endpointOf(url) ?? MAIN_ENDPOINT;
    const upgrade = ({ dispatcher }: Pick<HttpOptions, 'dispatcher'>): void =>
      this.#server.handleUpgrade(request, socket, rest, (webSocket) => {
        const onClosed = (reason: CloseReason): void => this.#remove(opened, reason);
        const service = { ...this.#options, dispatcher, onClosed };
        const opened = new WebSocketConnection(service, connection, profile, webSocket, socket);
        this.#all.add(opened);
        this.#byClient.set(opened.client, (this.#byClient.get(opened.client) ?? 0) + 1);
        this.#timer ??= setInterval(() => this.#check(), this.#options.limits.webSocketCheckMs).unref();
      });
    const opened = chain === undefined ? this.#options : this.#options.chains?.chain(chain);
    if (!(opened instanceof Promise)) {
      upgrade(opened ?? this.#options);
      return;
    }
    // What arrives before the chain is open waits in the socket.
    socket.pause();
    opened.then(
      (further) => {
        upgrade(further);
        socket.resume();
      },
      () => socket.destroy(),
    );
  }

  /** Closes all WebSockets, with the reason that the node stops. */
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

/** The profile and the chain of a WebSocket; undefined for the chain of the node itself. */
interface Endpoint {
  readonly profile: ProfileId;
  readonly chain: number | undefined;
}

const MAIN_ENDPOINT: Endpoint = { profile: 'ledger', chain: undefined };

function endpointOf(target: string): Endpoint | undefined {
  const path = targetOf(target)?.path ?? '';
  const below = chainPathOf(path);
  const rest = below === undefined ? path : below.rest || '/';
  const profile = PROFILES.get(ETHEREUM_PATHS.has(rest) ? ETHEREUM_PATH : rest);
  return profile && { profile, chain: below?.number };
}
