import {
  BLOCK_WAIT_MS_MAX,
  BODY_BYTES_MAX,
  BUSY_POLL_MICROSECONDS,
  CONNECTIONS_MAX,
  HEADER_BYTES_MAX,
  HEADERS_TIMEOUT_MS,
  HELD_BYTES_MAX,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  SLOW_CLIENT_MS,
  STALLED_TIMEOUT_MS,
  UNUSED_CONNECTIONS_PER_SECOND,
  WEBSOCKET_STALLED_MS,
  WEBSOCKETS_MAX,
} from '../limits.ts';

/** Milliseconds between two pings. A client without a pong is closed at the next one, so within 30 s. */
const WEBSOCKET_PING_MS = 12_000;
const WEBSOCKET_CHECK_MS = 1_000;
/** Milliseconds that requests in flight have to finish when the server closes. */
const CLOSE_GRACE_MS = 5_000;
/** Bytes a second below which a client is slow (4 MiB). */
const SLOW_CLIENT_BYTES_PER_SECOND = 4 * 1024 * 1024;

/** The default bounds of a server. */
export const DEFAULT_SERVER_LIMITS = {
  bodyBytesMax: BODY_BYTES_MAX,
  headerBytesMax: HEADER_BYTES_MAX,
  heldBytesMax: HELD_BYTES_MAX,
  slowClientMs: SLOW_CLIENT_MS,
  slowClientBytesPerSecond: SLOW_CLIENT_BYTES_PER_SECOND,
  /** Connections without the WebSockets. */
  connectionsMax: CONNECTIONS_MAX,
  /** Connections of one client in a second that may end without a whole request; 0 for no bound. */
  unusedConnectionsPerSecond: UNUSED_CONNECTIONS_PER_SECOND,
  webSocketsMax: WEBSOCKETS_MAX,
  webSocketStalledMs: WEBSOCKET_STALLED_MS,
  webSocketPingMs: WEBSOCKET_PING_MS,
  webSocketCheckMs: WEBSOCKET_CHECK_MS,
  /** Calls of one client in a second; 0 for no bound. */
  callsPerSecondMax: 0,
  headersTimeoutMs: HEADERS_TIMEOUT_MS,
  requestTimeoutMs: REQUEST_TIMEOUT_MS,
  blockWaitMs: BLOCK_WAIT_MS_MAX,
  keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
  stalledTimeoutMs: STALLED_TIMEOUT_MS,
  /** Microseconds of polling after a response; 0 for none. */
  busyPollMicroseconds: BUSY_POLL_MICROSECONDS,
  closeGraceMs: CLOSE_GRACE_MS,
};

/** The bounds of a server, each of which an operator or a test may change. */
export type ServerLimits = Readonly<typeof DEFAULT_SERVER_LIMITS>;
