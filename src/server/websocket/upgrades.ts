import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { WAITING_REQUEST_BYTES } from '../../limits.ts';
import { InvalidRequestError, type ProfileId } from '../../rpc/index.ts';
import { type AccessCheck, type AccessRefusal, ETHEREUM_PATH } from '../access.ts';
import type { Connections } from '../connections.ts';
import type { HttpGate } from '../http-gate.ts';
import type { RefusalReason } from '../metrics/metrics.ts';
import type { ParseTurns } from '../parse-turns.ts';
import { bringsBody } from '../read-body.ts';
import { closeWith } from '../refusals.ts';
import { targetOf } from '../routes.ts';
import type { WebSockets } from './web-sockets.ts';

/** What a request for another protocol passes. */
export interface UpgradeParts {
  readonly access: AccessCheck;
  readonly connections: Connections;
  /** Through which what comes by the connections goes as long as it is HTTP. */
  readonly gate: HttpGate;
  readonly parseTurns: ParseTurns;
  readonly webSockets: WebSockets;
  readonly onRefused: (reason: RefusalReason) => void;
  /** Told of each request whose Host or Origin is not allowed. */
  readonly onForeign: (refusal: AccessRefusal) => void;
  /** Answers all that comes by a connection, whatever protocol it would rather have. */
  serveOrdinarily(socket: Socket): void;
}

/** Where WebSockets are, and in whose shapes they answer. */
const PROFILES: ReadonlyMap<string, ProfileId> = new Map([
  ['/', 'ledger'],
  ['/ws', 'ledger'],
  [ETHEREUM_PATH, 'ethereum'],
  [`${ETHEREUM_PATH}/ws`, 'ethereum'],
]);

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What came behind the request. */
  readonly head: Buffer;
}

/**
 * Returns true if a request asks for a WebSocket. One that brings a body is served in HTTP: the body would be taken for
 * frames.
 */
function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && !bringsBody(headers);
}

/**
 * Makes WebSockets of connections whose clients ask for that (RFC 6455, 4.2). Host and Origin are judged as those of
 * every request: a page may open a WebSocket to anywhere without asking first. Who would rather have any other protocol
 * is answered in this one (RFC 9110, 7.8).
 */
export function serveUpgrades(http: Server, parts: UpgradeParts): void {
  const { connections, gate } = parts;
  http.on('upgrade', (request, stream, head) => {
    // What an HTTP server listens to are the sockets of this process.
    const socket = stream as Socket;
    gate.leave(socket);
    const connection = connections.of(socket);
    if (connection === undefined) return;
    const upgrade = { request, socket, head };
    if (!asksForWebSocket(request)) {
      serveOtherwise(upgrade, parts);
      return;
    }
    connections.enqueue(connection, {
      begin: () => begin(upgrade, parts),
      waitingBytes: () => WAITING_REQUEST_BYTES + head.length,
      isWhole: () => true,
    });
  });
}

function begin(upgrade: Upgrade, parts: UpgradeParts): void {
  const { request, socket } = upgrade;
  const { access, connections, webSockets, parseTurns, onRefused, onForeign } = parts;
  const connection = connections.of(socket);
  if (connection === undefined) return;
  const refusal = access.refusalOf(request);
  if (refusal !== undefined) {
    onRefused(refusal.reason);
    if (refusal.reason !== 'malformed') onForeign(refusal);
    closeWith(socket, refusal.status, refusal.error, parseTurns);
    return;
  }
  const profile = PROFILES.get(targetOf(request.url ?? '')?.path ?? '');
  if (profile === undefined) {
    const places = [...PROFILES.keys()].join(', ');
    closeWith(socket, 404, new InvalidRequestError(`not found: WebSockets are at ${places}`), parseTurns);
    return;
  }
  const full = webSockets.refusalOf(connection.client);
  if (full !== undefined) {
    onRefused('connections');
    closeWith(socket, 503, full, parseTurns);
    return;
  }
  connections.lift(connection);
  webSockets.open(upgrade, connection, profile);
}

/**
 * Gives a request to a server that knows of no other protocols, as it came but for what it would rather have: the
 * parser passes over what comes behind such a request.
 */
function serveOtherwise({ request, socket, head }: Upgrade, { serveOrdinarily }: UpgradeParts): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'upgrade') continue;
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  serveOrdinarily(socket);
}
