import { readdirSync } from 'node:fs';
import type { Metric } from 'prom-client';
import { type AccountId, formatAccountId } from '../../protocol/index.ts';
import type { BlockLogStatus } from '../../rpc/index.ts';
import { HELD_KINDS, type HeldBytes } from '../../scheduling/index.ts';
import type { CallCounters, Sample, TimeHistogram } from './counts.ts';

/** The sources of the metrics of a node, which each scrape calls. */
export interface MetricsSources {
  readonly version: string;
  /** Returns the newest block; its time in Unix seconds. */
  head(): { readonly number: number; readonly timestamp: number };
  /** Returns the clock of the chain, in Unix seconds. */
  now(): number;
  /** Returns the distance of the newest block to the newest known one. */
  lag(): { readonly blocks: number; readonly seconds: number };
  /** Returns the status of the block log; undefined without one. */
  blockLog(): BlockLogStatus | undefined;
  /** Lists the producers of the chain, and if each is missing. */
  producers(): Iterable<readonly [producer: AccountId, isMissing: boolean]>;
  pendingTransactions(): number;
  /** Returns the numbers of signature checks: by the thread of the ledger, and by other threads. */
  signatureChecks(): { readonly own: number; readonly ahead: number };
  workers(): number;
  /** Returns the number of unwritten blocks, and true if the last write failed. */
  writing(): { readonly unwrittenBlocks: number; readonly hasFailed: boolean };
  store(): {
    readonly fileBytes: number;
    readonly usedBytes: number;
    readonly readers: number;
    readonly oldestReaderTransactions: number;
  };
}

/** The parts of a server that each scrape reads. */
export interface WatchedServer {
  readonly waits: { readonly size: number };
  readonly connections: { readonly size: number; readonly held: HeldBytes };
  readonly webSockets: {
    readonly size: number;
    readonly subscriptions: number;
    /** Bytes sent that clients have not read. */
    readonly unreadBytes: number;
    /** Closed connections, counted by reason. */
    readonly closed: ReadonlyMap<string, number>;
  };
}

/** The counters of a node since its start. */
export interface Counters {
  readonly calls: CallCounters;
  readonly applying: TimeHistogram;
  readonly committing: TimeHistogram;
  readonly lag: TimeHistogram;
  readonly refused: ReadonlyMap<string, number>;
  readonly waited: ReadonlyMap<string, number>;
  readonly gas: bigint;
  /** The server; undefined before it starts. */
  readonly server: WatchedServer | undefined;
  /** The sizes of the store at the last scrape. */
  readonly stored: ReturnType<MetricsSources['store']> | undefined;
}

/** The values of a metric: one without labels, or samples; none while undefined. */
type Values = number | readonly Sample[] | undefined;

/**
 * Returns a function that declares metrics of a type. The counters and histograms of prom-client would hash the labels
 * at every count, so the values are stored elsewhere; the registry calls only `get` of a metric.
 */
function metricOf(type: 'counter' | 'gauge' | 'histogram') {
  return (name: string, help: string, read: (name: string) => Values): Metric => {
    const get = async () => ({ name, help, type, values: samplesOf(read(name)) });
    return { name, help, type, aggregator: 'sum', get } as unknown as Metric; // the part that the registry uses
  };
}

const gauge = metricOf('gauge');
const counter = metricOf('counter');
const histogram = metricOf('histogram');

function samplesOf(values: Values): readonly Sample[] {
  return typeof values === 'number' ? [{ value: values }] : (values ?? []);
}

function labelled(label: string, numbers: Iterable<readonly [string, number]>): Sample[] {
  return Array.from(numbers, ([name, value]) => ({ labels: { [label]: name }, value }));
}

export function metricTable(sources: MetricsSources, counted: Counters): Metric[] {
  return [
    ...nodeMetrics(sources, counted),
    ...serverMetrics(counted),
    ...countedMetrics(counted),
    ...logMetrics(sources),
    ...PROCESS_METRICS,
  ];
}

function nodeMetrics(sources: MetricsSources, counted: Counters): Metric[] {
  const { version, head, now, lag, pendingTransactions, signatureChecks, workers, writing } = sources;
  const stored = (name: keyof NonNullable<Counters['stored']>) => () => counted.stored?.[name] ?? 0;
  return [
    gauge('ledgerd_info', 'The version of the program.', () => [{ labels: { version }, value: 1 }]),
    gauge('ledgerd_block_height', 'Number of the newest block.', () => head().number),
    gauge('ledgerd_block_age_seconds', 'Seconds since the newest block was made.', () =>
      Math.max(0, now() - head().timestamp),
    ),
    gauge('ledgerd_lag_blocks', 'Known blocks that the node does not have yet.', () => lag().blocks),
    gauge(
      'ledgerd_lag_seconds',
      'Age of the newest block if newer ones are known, else 0.',
      () => lag().seconds,
    ),
    gauge(
      'ledgerd_producer_missing',
      '1 if the producer made no block in its last turn, or this node lacks its key; else 0.',
      () =>
        labelled(
          'producer',
          Array.from(sources.producers(), ([id, isMissing]) => [formatAccountId(id), Number(isMissing)]),
        ),
    ),
    gauge('ledgerd_pending_transactions', 'Pending transactions.', pendingTransactions),
    counter('ledgerd_signature_checks_total', 'Signature checks, by the thread that ran them.', () =>
      labelled('thread', [
        ['ledger', signatureChecks().own],
        ['other', signatureChecks().ahead],
      ]),
    ),
    gauge('ledgerd_workers', 'Worker processes that run queries.', workers),
    gauge('ledgerd_store_file_bytes', 'Bytes of the database file.', stored('fileBytes')),
    gauge('ledgerd_store_used_bytes', 'Bytes in use of the database file.', stored('usedBytes')),
    gauge('ledgerd_store_readers', 'Open snapshots of the database.', stored('readers')),
    gauge(
      'ledgerd_store_oldest_reader_transactions',
      'Commits since the oldest snapshot; space freed since then cannot be reused.',
      stored('oldestReaderTransactions'),
    ),
    gauge('ledgerd_store_write_failed', '1 if the last write of a block or transaction failed, else 0.', () =>
      Number(writing().hasFailed),
    ),
    gauge(
      'ledgerd_store_unwritten_blocks',
      'Newest blocks that are only in memory, such as those of a temporary chain.',
      () => writing().unwrittenBlocks,
    ),
  ];
}

/** Lists the metrics of the server, which are 0 before it starts. */
function serverMetrics(counted: Counters): Metric[] {
  const of = (read: (server: WatchedServer) => number) => () =>
    counted.server === undefined ? 0 : read(counted.server);
  return [
    gauge(
      'ledgerd_block_waits',
      'Requests that wait for a block.',
      of(({ waits }) => waits.size),
    ),
    gauge(
      'ledgerd_connections',
      'Connections of clients.',
      of(({ connections }) => connections.size),
    ),
    gauge(
      'ledgerd_websockets',
      'WebSockets of clients.',
      of(({ webSockets }) => webSockets.size),
    ),
    gauge(
      'ledgerd_subscriptions',
      'Subscriptions.',
      of(({ webSockets }) => webSockets.subscriptions),
    ),
    gauge(
      'ledgerd_websocket_unread_bytes',
      'Bytes sent over WebSockets that clients have not read.',
      of(({ webSockets }) => webSockets.unreadBytes),
    ),
    counter('ledgerd_websockets_closed_total', 'Closed WebSockets, by reason.', () =>
      labelled('reason', counted.server?.webSockets.closed ?? []),
    ),
    gauge('ledgerd_held_bytes', 'Bytes held for clients, by kind.', () =>
      HELD_KINDS.map((kind) => ({ labels: { kind }, value: counted.server?.connections.held[kind] ?? 0 })),
    ),
  ];
}

function countedMetrics(counted: Counters): Metric[] {
  const { calls, refused, waited, applying, committing, lag } = counted;
  return [
    counter('ledgerd_calls_total', 'Calls, by method and outcome.', () => calls.countSamples()),
    histogram('ledgerd_call_duration_seconds', 'Duration of calls with their time in queues.', (name) =>
      calls.timeSamples(name),
    ),
    counter(
      'ledgerd_refused_total',
      'Requests refused and connections closed before a method was called, by reason.',
      () => labelled('reason', refused),
    ),
    counter(
      'ledgerd_block_waits_total',
      'Requests that had to wait for a block (Ledgerd-Min-Block), by outcome.',
      () => labelled('outcome', waited),
    ),
    histogram('ledgerd_block_apply_seconds', 'Time to apply a block.', (name) => applying.samples(name)),
    histogram('ledgerd_block_commit_seconds', 'Time to store a block.', (name) => committing.samples(name)),
    histogram('ledgerd_event_loop_lag_seconds', 'Delay of the event loop.', (name) => lag.samples(name)),
    counter('ledgerd_evm_gas_total', 'EVM gas charged in blocks since the start.', () => Number(counted.gas)),
  ];
}

/** Lists the metrics of the block log, which have no value without one. */
function logMetrics({ blockLog }: MetricsSources): Metric[] {
  return [
    gauge('ledgerd_log_height', 'Number of the newest known block in the log.', () => blockLog()?.head),
    gauge(
      'ledgerd_log_silent_seconds',
      'Seconds since the last response of the log.',
      () => blockLog()?.silentSeconds,
    ),
    gauge('ledgerd_log_halted', '1 if an inconsistent log has halted the node, else 0.', () => {
      const log = blockLog();
      return log && Number(log.halted !== undefined);
    }),
    counter(
      'ledgerd_log_losses_total',
      'Interruptions of the log: lost connections, and elections of its leader.',
      () => blockLog()?.losses,
    ),
    counter('ledgerd_log_elections_total', 'Observed elections of a leader.', () => blockLog()?.elections),
    counter('ledgerd_log_appends_total', 'Blocks that this node appended, by outcome.', () =>
      labelled('outcome', Object.entries(blockLog()?.appends ?? {})),
    ),
    counter(
      'ledgerd_log_transactions_total',
      'Transactions sent to or received from other nodes, by outcome.',
      () => labelled('kind', Object.entries(blockLog()?.transactions ?? {})),
    ),
  ];
}

const MICROSECONDS = 1e6;

/** Metrics of the process, by the standard names of Prometheus clients. */
const PROCESS_METRICS: readonly Metric[] = [
  counter('process_cpu_seconds_total', 'Processor time of the process.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS;
  }),
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()),
  gauge('nodejs_heap_used_bytes', 'Used bytes of the JavaScript heap.', () => process.memoryUsage().heapUsed),
  gauge(
    'nodejs_array_buffer_bytes',
    'Bytes of buffers outside the heap.',
    () => process.memoryUsage().arrayBuffers,
  ),
  gauge('process_start_time_seconds', 'Unix time of the start.', () => performance.timeOrigin / 1_000),
  gauge('process_open_fds', 'Open files and connections.', () => {
    try {
      return readdirSync('/proc/self/fd').length;
    } catch {
      // The path exists only on Linux.
      return undefined;
    }
  }),
];
