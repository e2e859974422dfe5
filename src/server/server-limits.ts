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

/** Milliseconds between two pings, each of which needs a pong: a client that stops reading is gone within 30 s. */
const WEBSOCKET_PING_MS = 12_000;
/** Milliseconds between two checks of all WebSockets. */
const WEBSOCKET_CHECK_MS = 1_000;
/** Milliseconds that requests in flight have to finish when the server closes. */
const CLOSE_GRACE_MS = 5_000;
/** Bytes a second below which a client is slow (4 MiB). */
const SLOW_CLIENT_BYTES_PER_SECOND = 4 * 1024 * 1024;

/** The bounds of a server that an operator, or a test, may change. */
export interface ServerLimits {
  /** Bytes of a body. */
  readonly bodyBytesMax: number;
  /** Bytes of the headers of a request. */
  readonly headerBytesMax: number;
  /** Bytes that are held for all clients together. */
  readonly heldBytesMax: number;
  /** Milliseconds that a client has to send a request, or to take a response, before its memory may be reclaimed. */
  readonly slowClientMs: number;
  /** Bytes a second with which it keeps its memory all the same. */
  readonly slowClientBytesPerSecond: number;
  /** Connections at a time. */
  readonly connectionsMax: number;
  /** Connections of one client in a second that may end without a whole request; 0 for no such bound. */
  readonly unusedConnectionsPerSecond: number;
  /** WebSockets at a time, beside these. */
  readonly webSocketsMax: number;
  /** Milliseconds after which one is closed whose client takes nothing of its unread bytes. */
  readonly webSocketStalledMs: number;
  /** Milliseconds between two pings, each of which needs a pong before the next. */
  readonly webSocketPingMs: number;
  /** Milliseconds between two checks of all of them. */
  readonly webSocketCheckMs: number;
  /** Calls that one client may make in a second; 0 for no such bound. */
  readonly callsPerSecondMax: number;
  /** Milliseconds within which a client must have sent its headers. */
  readonly headersTimeoutMs: number;
  /** Milliseconds within which a client must have sent its whole request. */
  readonly requestTimeoutMs: number;
  /** Milliseconds that a request waits for the block that it names. */
  readonly blockWaitMs: number;
  /** Milliseconds that an idle kept-alive connection stays open. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds without progress after which a connection is closed. */
  readonly stalledTimeoutMs: number;
  /** Microseconds for which the server polls for the next request before it sleeps; 0 for none. */
  readonly busyPollMicroseconds: number;
  /** Milliseconds that requests in flight have to finish when the server closes. */
  readonly closeGraceMs: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  bodyBytesMax: BODY_BYTES_MAX,
  headerBytesMax: HEADER_BYTES_MAX,
  heldBytesMax: HELD_BYTES_MAX,
  slowClientMs: SLOW_CLIENT_MS,
  slowClientBytesPerSecond: SLOW_CLIENT_BYTES_PER_SECOND,
  connectionsMax: CONNECTIONS_MAX,
  unusedConnectionsPerSecond: UNUSED_CONNECTIONS_PER_SECOND,
  webSocketsMax: WEBSOCKETS_MAX,
  webSocketStalledMs: WEBSOCKET_STALLED_MS,
  webSocketPingMs: WEBSOCKET_PING_MS,
  webSocketCheckMs: WEBSOCKET_CHECK_MS,
  callsPerSecondMax: 0,
  headersTimeoutMs: HEADERS_TIMEOUT_MS,
  requestTimeoutMs: REQUEST_TIMEOUT_MS,
  blockWaitMs: BLOCK_WAIT_MS_MAX,
  keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
  stalledTimeoutMs: STALLED_TIMEOUT_MS,
  busyPollMicroseconds: BUSY_POLL_MICROSECONDS,
  closeGraceMs: CLOSE_GRACE_MS,
};
