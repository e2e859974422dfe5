import {
  BATCH_REQUESTS_FLAG_MAX,
  BODY_BYTES_FLAG_MAX,
  BODY_BYTES_FLAG_MIN,
  BUSY_POLL_MICROSECONDS_MAX,
  CALL_GAS_FLAG_MAX,
  CALL_GAS_FLAG_MIN,
  CALL_TIMEOUT_SECONDS_MAX,
  CALL_TIMEOUT_SECONDS_MIN,
  CONNECTIONS_FLAG_MAX,
  FILTER_TIMEOUT_SECONDS_MAX,
  HEADER_BYTES_FLAG_MAX,
  HEADER_BYTES_FLAG_MIN,
  HELD_BYTES_FLAG_MAX,
  HELD_BYTES_FLAG_MIN,
  LOGS_FLAG_MAX,
  PORT_MAX,
  RATE_LIMIT_FLAG_MAX,
  REGISTRATION_DIFFICULTY_MAX,
  TIMEOUT_FLAG_SECONDS_MAX,
  TRACE_BYTES_FLAG_MAX,
  TRACE_BYTES_FLAG_MIN,
  TRACE_TIMEOUT_SECONDS_MAX,
  TRACE_TIMEOUT_SECONDS_MIN,
  UNUSED_CONNECTIONS_FLAG_MAX,
  WEBSOCKETS_FLAG_MAX,
  WORKERS_FLAG_MAX,
} from '../../limits.ts';
import { DEFAULT_CONFIGURATION, DEFAULT_NODE_CONFIGURATION } from '../../node/index.ts';
import {
  byteCount,
  byteText,
  decimalSeconds,
  gasUnits,
  hostName,
  inMilliseconds,
  oneOf,
  webOrigin,
  wholeNumber,
} from '../values.ts';
import { limit, list, type Setting, toggle, value } from './setting.ts';

const defaults = DEFAULT_NODE_CONFIGURATION;

const timeout = inMilliseconds(wholeNumber(1, TIMEOUT_FLAG_SECONDS_MAX));

/** Settings of the address of a node, and of its clients. */
export const LISTENING_SETTINGS = {
  host: value({
    help: 'name or address to listen at',
    type: hostName,
    default: defaults.host,
  }),
  port: value({
    help: 'port to listen at, 0 for a free one',
    type: wholeNumber(0, PORT_MAX),
    default: defaults.port,
  }),
  'allow-host': list({
    help: 'further Host header to accept, repeatable',
    type: hostName,
  }),
  cors: list({
    help: 'further web origin to accept, repeatable; * stands for labels, a host, a port or any origin',
    type: webOrigin,
  }),
} as const satisfies Record<string, Setting>;

/** Settings of the service, and its limits. */
export const SERVICE_SETTINGS = {
  plugin: list({
    help: 'plugin to run: history (eth_getTransactionCount)',
    type: oneOf(['history']),
    testDefault: ['history'],
  }),
  'no-history': toggle('run without the history plugin'),
  'allow-unprotected-transactions': toggle('take Ethereum transactions that are signed for every chain'),
  'registration-difficulty': value({
    argument: 'bits',
    help: 'zero bits of the proof of work that registers an account',
    type: wholeNumber(0, REGISTRATION_DIFFICULTY_MAX),
    default: defaults.registrationDifficulty,
    testDefault: DEFAULT_CONFIGURATION.registrationDifficulty,
  }),
  workers: value({
    help: 'processes that execute calls and other queries beside the node, 0 for none',
    type: wholeNumber(0, WORKERS_FLAG_MAX),
    default: defaults.workers,
  }),
  'call-gas': limit('rpc', 'callGasMax', {
    help: 'gas of an eth_call or eth_estimateGas',
    type: gasUnits(CALL_GAS_FLAG_MIN, CALL_GAS_FLAG_MAX),
  }),
  'call-timeout': limit('rpc', 'callTimeMsMax', {
    help: 'of computing for an eth_call or eth_estimateGas, decimals allowed',
    type: inMilliseconds(decimalSeconds(CALL_TIMEOUT_SECONDS_MIN, CALL_TIMEOUT_SECONDS_MAX)),
  }),
  'trace-bytes': limit('rpc', 'traceBytesMax', {
    help: 'bytes of the traces of a request',
    type: byteCount(TRACE_BYTES_FLAG_MIN, TRACE_BYTES_FLAG_MAX),
    defaultText: byteText(defaults.rpc.traceBytesMax),
  }),
  'trace-timeout': limit('rpc', 'traceTimeMsMax', {
    help: 'of computing for the traces of a request, decimals allowed',
    type: inMilliseconds(decimalSeconds(TRACE_TIMEOUT_SECONDS_MIN, TRACE_TIMEOUT_SECONDS_MAX)),
  }),
  'max-body': limit('server', 'bodyBytesMax', {
    help: 'bytes of a request',
    type: byteCount(BODY_BYTES_FLAG_MIN, BODY_BYTES_FLAG_MAX),
    defaultText: byteText(defaults.server.bodyBytesMax),
  }),
  'max-held': limit('server', 'heldBytesMax', {
    help: 'bytes that are held for all clients together',
    type: byteCount(HELD_BYTES_FLAG_MIN, HELD_BYTES_FLAG_MAX),
    defaultText: 'a quarter of the heap, at most 512MiB',
  }),
  'max-batch': limit('rpc', 'batchRequestsMax', {
    help: 'requests in a batch',
    type: wholeNumber(1, BATCH_REQUESTS_FLAG_MAX),
  }),
  'max-logs': limit('rpc', 'logsMax', {
    help: 'logs in a response, and hashes in the response of a filter',
    type: wholeNumber(1, LOGS_FLAG_MAX),
  }),
  'filter-timeout': limit('rpc', 'filterTimeoutSeconds', {
    argument: 'seconds',
    help: 'when a filter is removed that nobody polls',
    type: wholeNumber(1, FILTER_TIMEOUT_SECONDS_MAX),
  }),
  'rate-limit': limit('server', 'callsPerSecondMax', {
    help: 'calls a second that one client may make, 0 for no such limit',
    type: wholeNumber(0, RATE_LIMIT_FLAG_MAX),
  }),
  'busy-poll': limit('server', 'busyPollMicroseconds', {
    argument: 'microseconds',
    help: 'to look for the next request before sleeping, 0 for none',
    type: wholeNumber(0, BUSY_POLL_MICROSECONDS_MAX),
  }),
  'max-connections': limit('server', 'connectionsMax', {
    help: 'connections at a time',
    type: wholeNumber(1, CONNECTIONS_FLAG_MAX),
  }),
  'unused-connections': limit('server', 'unusedConnectionsPerSecond', {
    help: 'connections a second of one client that may end without a request, 0 for no such limit',
    type: wholeNumber(0, UNUSED_CONNECTIONS_FLAG_MAX),
  }),
  'max-websockets': limit('server', 'webSocketsMax', {
    help: 'WebSockets at a time, beside the connections',
    type: wholeNumber(0, WEBSOCKETS_FLAG_MAX),
  }),
  'max-headers': limit('server', 'headerBytesMax', {
    help: 'bytes of the headers of a request',
    type: byteCount(HEADER_BYTES_FLAG_MIN, HEADER_BYTES_FLAG_MAX),
    defaultText: byteText(defaults.server.headerBytesMax),
  }),
  'headers-timeout': limit('server', 'headersTimeoutMs', {
    help: 'within which a client must have sent its headers',
    type: timeout,
  }),
  'request-timeout': limit('server', 'requestTimeoutMs', {
    help: 'within which a client must have sent its whole request',
    type: timeout,
  }),
  'min-block-timeout': limit('server', 'blockWaitMs', {
    help: 'that a request waits for the block that it asks to be there',
    type: timeout,
  }),
  'idle-timeout': limit('server', 'keepAliveTimeoutMs', {
    help: 'that an idle connection stays open',
    type: timeout,
  }),
  'shutdown-timeout': limit('server', 'closeGraceMs', {
    help: 'that requests in flight have to finish when the node stops',
    type: timeout,
  }),
} as const satisfies Record<string, Setting>;

/** Levels of a node's log; each includes those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
/** A level of a node's log. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Forms of a node's log: JSON objects, or lines for people. */
const LOG_FORMATS = ['json', 'text'] as const;

/** Settings of a node's log. */
export const NODE_LOG_SETTINGS = {
  'log-level': value<LogLevel>({
    argument: 'level',
    help: LOG_LEVELS.join(', '),
    type: oneOf(LOG_LEVELS),
    default: 'info',
    testDefault: 'debug',
  }),
  'log-format': value<(typeof LOG_FORMATS)[number]>({
    argument: 'format',
    help: 'json: an object on each line; text: lines for people',
    type: oneOf(LOG_FORMATS),
    default: 'json',
    testDefault: 'text',
  }),
} as const satisfies Record<string, Setting>;
