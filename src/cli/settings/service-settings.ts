import type { PricePolicy } from '../../ledger/index.ts';
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
import { PROFILE_IDS, type ProfileId } from '../../rpc/index.ts';
import {
  byteCount,
  decimalSeconds,
  file,
  gasUnits,
  hostName,
  inMilliseconds,
  oneOf,
  webOrigin,
  weiAmount,
  wholeNumber,
} from '../values.ts';
import { limit, list, optional, type Setting, toggle, value } from './setting.ts';

const defaults = DEFAULT_NODE_CONFIGURATION;

const timeout = inMilliseconds(wholeNumber(1, TIMEOUT_FLAG_SECONDS_MAX));

/** Settings of the address of a node, and of its clients. */
export const LISTENING_SETTINGS = {
  host: value('name or address to listen at', hostName, defaults.host),
  port: value('port to listen at, 0 for a free one', wholeNumber(0, PORT_MAX), defaults.port),
  ipc: optional('Unix socket that serves JSON-RPC, too, as IPC: the interface at /', file, 'none', {
    argument: 'path',
  }),
  'allow-host': list('further Host header to accept, repeatable', hostName),
  cors: list(
    'further web origin to accept, repeatable; * stands for labels, a host, a port or any origin',
    webOrigin,
  ),
} as const satisfies Record<string, Setting>;

export const SERVICE_SETTINGS = {
  root: value<ProfileId>(
    'interface at /: that of the ledger, or of Ethereum, which implies --ethereum; both are at /ledger and /ethereum',
    oneOf(PROFILE_IDS),
    defaults.root,
    { argument: 'interface' },
  ),
  plugin: list('plugin to run: history (eth_getTransactionCount)', oneOf(['history']), {
    testDefault: ['history'],
  }),
  'no-history': toggle('run without the history plugin'),
  'gas-price': value(
    'least gas price of Ethereum transactions that the node accepts and suggests, in wei',
    weiAmount,
    defaults.prices.minGasPrice,
    { argument: 'wei' },
  ),
  order: value<PricePolicy['order']>(
    'order of transactions in blocks: by their fees, or by arrival (fifo)',
    oneOf(['fees', 'fifo']),
    defaults.prices.order,
  ),
  'allow-unprotected-transactions': toggle('accept Ethereum transactions without a chain id (EIP-155)'),
  'registration-difficulty': value(
    'zero bits of the proof of work that registers an account',
    wholeNumber(0, REGISTRATION_DIFFICULTY_MAX),
    defaults.registrationDifficulty,
    { argument: 'bits', testDefault: DEFAULT_CONFIGURATION.registrationDifficulty },
  ),
  workers: value(
    'worker processes that execute calls and other queries, 0 for none',
    wholeNumber(0, WORKERS_FLAG_MAX),
    defaults.workers,
  ),
  'call-gas': limit(
    'rpc',
    'callGasMax',
    'gas of an eth_call or eth_estimateGas',
    gasUnits(CALL_GAS_FLAG_MIN, CALL_GAS_FLAG_MAX),
  ),
  'call-timeout': limit(
    'rpc',
    'callTimeMsMax',
    'computing time of an eth_call or eth_estimateGas, decimals allowed',
    inMilliseconds(decimalSeconds(CALL_TIMEOUT_SECONDS_MIN, CALL_TIMEOUT_SECONDS_MAX)),
  ),
  'trace-bytes': limit(
    'rpc',
    'traceBytesMax',
    'bytes of the traces of a request',
    byteCount(TRACE_BYTES_FLAG_MIN, TRACE_BYTES_FLAG_MAX),
  ),
  'trace-timeout': limit(
    'rpc',
    'traceTimeMsMax',
    'computing time of the traces of a request, decimals allowed',
    inMilliseconds(decimalSeconds(TRACE_TIMEOUT_SECONDS_MIN, TRACE_TIMEOUT_SECONDS_MAX)),
  ),
  'max-body': limit(
    'server',
    'bodyBytesMax',
    'bytes of a request',
    byteCount(BODY_BYTES_FLAG_MIN, BODY_BYTES_FLAG_MAX),
  ),
  'max-held': limit(
    'server',
    'heldBytesMax',
    'bytes held for all clients together',
    byteCount(HELD_BYTES_FLAG_MIN, HELD_BYTES_FLAG_MAX),
    { defaultText: 'a quarter of the heap, at most 512MiB' },
  ),
  'max-batch': limit(
    'rpc',
    'batchRequestsMax',
    'requests in a batch',
    wholeNumber(1, BATCH_REQUESTS_FLAG_MAX),
  ),
  'max-logs': limit(
    'rpc',
    'logsMax',
    'logs in a response, and hashes in the response of a filter',
    wholeNumber(1, LOGS_FLAG_MAX),
  ),
  'filter-timeout': limit(
    'rpc',
    'filterTimeoutSeconds',
    'time without a poll after which a filter is removed',
    wholeNumber(1, FILTER_TIMEOUT_SECONDS_MAX),
    { argument: 'seconds' },
  ),
  'rate-limit': limit(
    'server',
    'callsPerSecondMax',
    'calls a second of one client, 0 for no such limit',
    wholeNumber(0, RATE_LIMIT_FLAG_MAX),
  ),
  'busy-poll': limit(
    'server',
    'busyPollMicroseconds',
    'time to poll for the next request before sleeping, 0 for none',
    wholeNumber(0, BUSY_POLL_MICROSECONDS_MAX),
    { argument: 'microseconds' },
  ),
  'max-connections': limit('server', 'connectionsMax', 'connections', wholeNumber(1, CONNECTIONS_FLAG_MAX)),
  'unused-connections': limit(
    'server',
    'unusedConnectionsPerSecond',
    'connections a second of one client that may end without a request, 0 for no such limit',
    wholeNumber(0, UNUSED_CONNECTIONS_FLAG_MAX),
  ),
  'max-websockets': limit(
    'server',
    'webSocketsMax',
    'WebSockets, in addition to the connections',
    wholeNumber(0, WEBSOCKETS_FLAG_MAX),
  ),
  'max-headers': limit(
    'server',
    'headerBytesMax',
    'bytes of the headers of a request',
    byteCount(HEADER_BYTES_FLAG_MIN, HEADER_BYTES_FLAG_MAX),
  ),
  'headers-timeout': limit('server', 'headersTimeoutMs', 'time for a client to send its headers', timeout),
  'request-timeout': limit('server', 'requestTimeoutMs', 'time for a client to send its request', timeout),
  'min-block-timeout': limit('server', 'blockWaitMs', 'time that a request waits for its block', timeout),
  'idle-timeout': limit('server', 'keepAliveTimeoutMs', 'time that an idle connection stays open', timeout),
  'shutdown-timeout': limit(
    'server',
    'closeGraceMs',
    'time for requests in flight to complete when the node stops',
    timeout,
  ),
} as const satisfies Record<string, Setting>;

/** Levels of a node's log; each includes those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Forms of a node's log: JSON objects, or lines for people. */
const LOG_FORMATS = ['json', 'text'] as const;

export const NODE_LOG_SETTINGS = {
  'log-level': value<LogLevel>(LOG_LEVELS.join(', '), oneOf(LOG_LEVELS), 'info', {
    argument: 'level',
    testDefault: 'debug',
  }),
  'log-format': value<(typeof LOG_FORMATS)[number]>(
    'json: an object on each line; text: lines for people',
    oneOf(LOG_FORMATS),
    'json',
    { argument: 'format', testDefault: 'text' },
  ),
} as const satisfies Record<string, Setting>;
