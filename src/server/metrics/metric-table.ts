import { readdirSync } from 'node:fs';
import type { Metric } from 'prom-client';
import type { BlockLogStatus } from '../../rpc/index.ts';
import { HELD_KINDS, type HeldBytes } from '../../scheduling/index.ts';
import type { CallCounters, Sample, TimeHistogram } from './counts.ts';

/** Sources of the metrics of a node; each is called at a scrape. */
export interface MetricsSources {
  /** The version of the program. */
  readonly version: string;
  /** Returns the newest block; its time in Unix seconds. */
  head(): { readonly number: number; readonly timestamp: number };
  /** Returns the clock of the chain, in Unix seconds. */
  now(): number;
  /** Returns the distance of the newest block here to the newest known one. */
  lag(): { readonly blocks: number; readonly seconds: number };
  /** Returns the status of the block log that the node shares with others; undefined without one. */
  blockLog(): BlockLogStatus | undefined;
  pendingTransactions(): number;
  /** Returns the number of processes that run queries beside the node's own. */
  workers(): number;
  /** Returns the number of blocks that are only in memory, and true if the last write failed. */
  writing(): { readonly unwrittenBlocks: number; readonly hasFailed: boolean };
  store(): {
    readonly fileBytes: number;
    readonly usedBytes: number;
    readonly readers: number;
    readonly oldestReaderTransactions: number;
  };
}

/** Parts of a server whose numbers are read at a scrape. */
export interface WatchedServer {
  /** Requests that wait for a block. */
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

/** Numbers that were counted since the start of a node. */
export interface Counted {
  readonly calls: CallCounters;
  readonly applying: TimeHistogram;
  readonly committing: TimeHistogram;
  readonly lag: TimeHistogram;
  readonly refused: ReadonlyMap<string, number>;
  readonly waited: ReadonlyMap<string, number>;
  readonly gas: bigint;
  /** The server; undefined before it starts. */
  readonly server: WatchedServer | undefined;
  /** Figures of the store at this scrape. */
  readonly stored: ReturnType<MetricsSources['store']> | undefined;
}

/** Numbers of a metric: one without labels, or samples; none while undefined. */
type Figures = number | readonly Sample[] | undefined;

/**
 * Makes the declaration of metrics of a type. The counters and histograms of prom-client hash the labels at every
 * count, so the numbers are kept elsewhere; of a registered metric its registry calls only `get`.
 *
 * @returns a function that takes the metric's figures, which get its name
 */
function metricOf(type: 'counter' | 'gauge' | 'histogram') {
  return (name: string, help: string, figures: (name: string) => Figures): Metric => {
    const get = async () => ({ name, help, type, values: samplesOf(figures(name)) });
    return { name, help, type, aggregator: 'sum', get } as unknown as Metric; // the part that a registry uses
  };
}

/** Numbers that rise and fall. */
const gauge = metricOf('gauge');
/** Numbers that only rise. */
const counter = metricOf('counter');
/** Durations in buckets. */
const histogram = metricOf('histogram');

function samplesOf(figures: Figures): readonly Sample[] {
  return typeof figures === 'number' ? [{ value: figures }] : (figures ?? []);
}

function labelled(label: string, numbers: Iterable<readonly [string, number]>): Sample[] {
  return Array.from(numbers, ([name, value]) => ({ labels: { [label]: name }, value }));
}

/** Lists all metrics of a node. */
export function metricTable(sources: MetricsSources, counted: Counted): Metric[] {
  return [
    ...nodeMetrics(sources, counted),
    ...workMetrics(counted),
    ...logMetrics(sources),
    ...PROCESS_METRICS,
  ];
}

function nodeMetrics(sources: MetricsSources, counted: Counted): Metric[] {
  const { version, head, now, lag, pendingTransactions, workers, writing } = sources;
  const stored = (figure: keyof NonNullable<Counted['stored']>) => () => counted.stored?.[figure] ?? 0;
  return [
    gauge('ledgerd_info', 'The version of the program.', () => [{ labels: { version }, value: 1 }]),
    gauge('ledgerd_block_height', 'Number of the newest block.', () => head().number),
    gauge('ledgerd_block_age_seconds', 'How long ago the newest block was made.', () =>
      Math.max(0, now() - head().timestamp),
    ),
    gauge('ledgerd_lag_blocks', 'Blocks that are known and not here yet.', () => lag().blocks),
    gauge(
      'ledgerd_lag_seconds',
      'How long ago the newest block was made where newer ones are known, else 0.',
      () => lag().seconds,
    ),
    gauge('ledgerd_pending_transactions', 'Transactions that wait for a block.', () => pendingTransactions()),
    gauge('ledgerd_workers', 'Processes that answer queries beside the node itself.', () => workers()),
    gauge('ledgerd_store_file_bytes', 'Bytes of the database file.', stored('fileBytes')),
    gauge('ledgerd_store_used_bytes', 'Bytes of it that are in use.', stored('usedBytes')),
    gauge('ledgerd_store_readers', 'Snapshots of the database that are held.', stored('readers')),
    gauge(
      'ledgerd_store_oldest_reader_transactions',
      'Commits since the oldest of them: room that was freed since then cannot be used again.',
      stored('oldestReaderTransactions'),
    ),
    gauge(
      'ledgerd_store_write_failed',
      'Whether the last attempt to write a block or a transaction has failed: 1, else 0.',
      () => Number(writing().hasFailed),
    ),
    gauge(
      'ledgerd_store_unwritten_blocks',
      'Newest blocks that are in memory alone, as those of a temporary chain are for a while.',
      () => writing().unwrittenBlocks,
    ),
    gauge('ledgerd_block_waits', 'Requests that wait for a block.', () => counted.server?.waits.size ?? 0),
    gauge('ledgerd_connections', 'Connections of clients.', () => counted.server?.connections.size ?? 0),
    gauge('ledgerd_websockets', 'WebSockets of clients.', () => counted.server?.webSockets.size ?? 0),
    gauge(
      'ledgerd_subscriptions',
      'Subscriptions over them.',
      () => counted.server?.webSockets.subscriptions ?? 0,
    ),
    gauge(
      'ledgerd_websocket_unread_bytes',
      'Bytes that their clients have not taken.',
      () => counted.server?.webSockets.unreadBytes ?? 0,
    ),
    counter('ledgerd_websockets_closed_total', 'WebSockets that have ended, by why.', () =>
      labelled('reason', counted.server?.webSockets.closed ?? []),
    ),
    gauge('ledgerd_held_bytes', 'Bytes that are held for clients, by what they are.', () =>
      HELD_KINDS.map((kind) => ({ labels: { kind }, value: counted.server?.connections.held[kind] ?? 0 })),
    ),
  ];
}

function workMetrics(counted: Counted): Metric[] {
  const { calls, refused, waited, applying, committing, lag } = counted;
  return [
    counter('ledgerd_calls_total', 'Calls that were answered, by method and outcome.', () =>
      calls.countSamples(),
    ),
    histogram(
      'ledgerd_call_duration_seconds',
      'How long calls took, their wait for their turn included.',
      (name) => calls.timeSamples(name),
    ),
    counter(
      'ledgerd_refused_total',
      'Requests that were refused and connections that were closed before any method saw them.',
      () => labelled('reason', refused),
    ),
    counter(
      'ledgerd_block_waits_total',
      'Requests that had to wait for a block (Ledgerd-Min-Block), by how that ended.',
      () => labelled('outcome', waited),
    ),
    histogram('ledgerd_block_apply_seconds', 'How long blocks took to be applied.', (name) =>
      applying.samples(name),
    ),
    histogram('ledgerd_block_commit_seconds', 'How long blocks took to be stored.', (name) =>
      committing.samples(name),
    ),
    histogram('ledgerd_event_loop_lag_seconds', 'How late the event loop was.', (name) => lag.samples(name)),
    counter('ledgerd_evm_gas_total', 'EVM gas that operations of blocks were charged since the start.', () =>
      Number(counted.gas),
    ),
  ];
}

/** Lists the metrics of the block log; none of them has a number without one. */
function logMetrics({ blockLog }: MetricsSources): Metric[] {
  return [
    gauge(
      'ledgerd_log_height',
      'Number of the newest block that the log is known to have.',
      () => blockLog()?.head,
    ),
    gauge(
      'ledgerd_log_silent_seconds',
      'How long ago the log answered last.',
      () => blockLog()?.silentSeconds,
    ),
    gauge(
      'ledgerd_log_halted',
      'Whether nothing is made or taken over any more, since the log is not what it should be.',
      () => {
        const log = blockLog();
        return log && Number(log.halted !== undefined);
      },
    ),
    counter(
      'ledgerd_log_losses_total',
      'How often the log could not be asked any more: connections that were lost, and elections of its leader.',
      () => blockLog()?.losses,
    ),
    counter(
      'ledgerd_log_elections_total',
      'How often the log was seen to have another leader.',
      () => blockLog()?.elections,
    ),
    counter('ledgerd_log_appends_total', 'Blocks that this node appended, by outcome.', () =>
      labelled('outcome', Object.entries(blockLog()?.appends ?? {})),
    ),
    counter(
      'ledgerd_log_transactions_total',
      'Transactions that went between this node and the others, by what became of them.',
      () => labelled('kind', Object.entries(blockLog()?.transactions ?? {})),
    ),
  ];
}

/** Unit of `process.cpuUsage`, in a second. */
const MICROSECONDS = 1e6;

/** Metrics of the process, by the names that they have in every program. */
const PROCESS_METRICS: readonly Metric[] = [
  counter('process_cpu_seconds_total', 'Time of the processors that the process has used.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS;
  }),
  gauge('process_resident_memory_bytes', 'Memory that the process occupies.', () =>
    process.memoryUsage.rss(),
  ),
  gauge('nodejs_heap_used_bytes', "Bytes of JavaScript's heap in use.", () => process.memoryUsage().heapUsed),
  gauge(
    'nodejs_array_buffer_bytes',
    'Bytes of buffers outside of the heap.',
    () => process.memoryUsage().arrayBuffers,
  ),
  gauge(
    'process_start_time_seconds',
    'When the process began, in Unix seconds.',
    () => performance.timeOrigin / 1_000,
  ),
  gauge('process_open_fds', 'Files and connections that the process has open.', () => {
    try {
      return readdirSync('/proc/self/fd').length;
    } catch {
      // Only Linux lists them there.
      return undefined;
    }
  }),
];
