import { getHeapStatistics } from 'node:v8';

/** The default bounds of a server. */
export const DEFAULT_SERVER_LIMITS = {
  /** Bytes of an HTTP body (5 MiB). */
  bodyBytesMax: 5 * 1024 * 1024,
  /** Bytes of the headers of one request (16 KiB). */
  headerBytesMax: 16 * 1024,
  /**
   * Bytes held for all clients: a quarter of V8's heap limit, at most 512 MiB. The node and the collector need the rest.
   */
  heldBytesMax: Math.min(512 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 4)),
  /** Milliseconds to send a request or read a response before the client may be closed to free memory. */
  slowClientMs: 2_000,
  /** Bytes a second below which a client is slow (4 MiB). */
  slowClientBytesPerSecond: 4 * 1024 * 1024,
  /** Concurrent connections of the HTTP server, without the WebSockets. */
  connectionsMax: 1_024,
  /** Connections of one client in a second that may end without a whole request; 0 for no bound. */
  unusedConnectionsPerSecond: 50,
  /** WebSocket connections at one time. */
  webSocketsMax: 1_024,
  /** Milliseconds without progress after which a WebSocket with unread bytes is closed. */
  webSocketStalledMs: 10_000,
  /** Milliseconds between two pings. A client without a pong is closed at the next one, so within 30 s. */
  webSocketPingMs: 12_000,
  webSocketCheckMs: 1_000,
  /** Calls of one client in a second; 0 for no bound. */
  callsPerSecondMax: 0,
  /** Milliseconds within which a client must have sent its headers. */
  headersTimeoutMs: 10_000,
  /** Milliseconds within which a client must have sent its whole request. */
  requestTimeoutMs: 30_000,
  /** Milliseconds that a request may wait for a future block. */
  blockWaitMs: 5_000,
  /** Milliseconds that an idle keep-alive connection stays open. */
  keepAliveTimeoutMs: 65_000,
  /** Milliseconds without progress after which a connection is closed, such as of a client that does not read. */
  stalledTimeoutMs: 120_000,
  /** Microseconds after a response for which the server polls for a request before it sleeps; 0 for none. */
  busyPollMicroseconds: 50,
  /** Milliseconds that requests in flight have to finish when the server closes. */
  closeGraceMs: 5_000,
};

/** The bounds of a server, each of which an operator or a test may change. */
export type ServerLimits = Readonly<typeof DEFAULT_SERVER_LIMITS>;
