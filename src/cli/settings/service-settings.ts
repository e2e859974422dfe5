import { LOGS_FLAG_MAX } from '../../fork/index.ts';
import type { PricePolicy } from '../../ledger/index.ts';
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

const timeout = inMilliseconds(wholeNumber(1, 60 * 60));

/** Settings of the address of a node, and of its clients. */
export const LISTENING_SETTINGS = {
  host: value('name or address to listen at', hostName, defaults.host),
  port: value('port to listen at, 0 for a free one', wholeNumber(0, 65_535), defaults.port),
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
    wholeNumber(0, 64),
    defaults.registrationDifficulty,
    { argument: 'bits', testDefault: DEFAULT_CONFIGURATION.registrationDifficulty },
  ),
  workers: value(
    'worker processes that execute calls and other queries, 0 for none',
    wholeNumber(0, 64),
    defaults.workers,
  ),
  'call-gas': limit(
    'rpc',
    'callGasMax',
    'gas of an eth_call or eth_estimateGas',
    // From the gas of an empty call to some minutes of computing.
    gasUnits(21_000, 1_000_000_000_000),
  ),
  'call-timeout': limit(
    'rpc',
    'callTimeMsMax',
    'computing time of an eth_call or eth_estimateGas, decimals allowed',
    inMilliseconds(decimalSeconds(0.01, 60 * 60)),
  ),
  'trace-bytes': limit(
    'rpc',
    'traceBytesMax',
    'bytes of the traces of a request',
    byteCount(64 * 1024, 64 * 1024 * 1024 * 1024),
  ),
  'trace-timeout': limit(
    'rpc',
    'traceTimeMsMax',
    'computing time of the traces of a request, decimals allowed',
    inMilliseconds(decimalSeconds(0.01, 3_600)),
  ),
  'max-body': limit(
    'server',
    'bodyBytesMax',
    'bytes of a request',
    // A longer text could exceed the length of a string.
    byteCount(1_024, 256 * 1024 * 1024),
  ),
  'max-held': limit(
    'server',
    'heldBytesMax',
    'bytes held for all clients together',
    byteCount(64 * 1024 * 1024, 64 * 1024 * 1024 * 1024),
    { defaultText: 'a quarter of the heap, at most 512MiB' },
  ),
  'max-batch': limit('rpc', 'batchRequestsMax', 'requests in a batch', wholeNumber(1, 100_000)),
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
    wholeNumber(1, 24 * 60 * 60),
    { argument: 'seconds' },
  ),
  'rate-limit': limit(
    'server',
    'callsPerSecondMax',
    'calls a second of one client, 0 for no such limit',
    wholeNumber(0, 1_000_000),
  ),
  'busy-poll': limit(
    'server',
    'busyPollMicroseconds',
    'time to poll for the next request before sleeping, 0 for none',
    wholeNumber(0, 10_000),
    { argument: 'microseconds' },
  ),
  'max-connections': limit('server', 'connectionsMax', 'connections', wholeNumber(1, 1_000_000)),
  'unused-connections': limit(
    'server',
    'unusedConnectionsPerSecond',
    'connections a second of one client that may end without a request, 0 for no such limit',
    wholeNumber(0, 1_000_000),
  ),
  'max-websockets': limit(
    'server',
    'webSocketsMax',
    'WebSockets, in addition to the connections',
    wholeNumber(0, 100_000),
  ),
  'max-headers': limit(
    'server',
    'headerBytesMax',
    'bytes of the headers of a request',
    byteCount(1_024, 1024 * 1024),
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

/** Least verbosity of each part of the log of failures. */
export const VERBOSITY = { reason: 1, origin: 2, calls: 3 } as const;

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
  verbosity: value<number>(
    'failures of contracts in test mode: 0 nothing, 1 the reason, 2 also line, call, gas and console, 3 also all calls',
    wholeNumber(0, 5),
    VERBOSITY.origin,
  ),
} as const satisfies Record<string, Setting>;
