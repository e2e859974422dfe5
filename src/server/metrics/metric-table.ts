import { readdirSync } from 'node:fs';
import { type AccountId, formatAccountId } from '../../protocol/index.ts';
import type { BlockLogStatus } from '../../rpc/index.ts';
import { HELD_KINDS, type HeldBytes } from '../../scheduling/index.ts';
import type { CallCounters, TimeHistogram } from './counts.ts';
import type { Metric, Sample } from './text-format.ts';

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
}

/** Returns a function that makes metrics of a type. */
function metricOf(type: Metric['type']) {
  return (name: string, help: string, values: Metric['values']): Metric => ({ name, help, type, values });
}

const gauge = metricOf('gauge');
const counter = metricOf('counter');
const histogram = metricOf('histogram');

function labelled(label: string, numbers: Iterable<readonly [string, number]>): Sample[] {
  return Array.from(numbers, ([name, value]) => ({ labels: { [label]: name }, value }));
}

export function metricTable(sources: MetricsSources, counted: Counters): Metric[] {
  return [
    ...nodeMetrics(sources),
    ...serverMetrics(counted),
    ...countedMetrics(counted),
    ...logMetrics(sources),
    ...processMetrics(),
  ];
}

function nodeMetrics(sources: MetricsSources): Metric[] {
  const head = sources.head();
  const lag = sources.lag();
  const store = sources.store();
  const writing = sources.writing();
  const { own, ahead } = sources.signatureChecks();
  const blockAge = Math.max(0, sources.now() - head.timestamp);
  const writeFailed = Number(writing.hasFailed);
  const producers = Array.from(
    sources.producers(),
    ([id, isMissing]) => [formatAccountId(id), Number(isMissing)] as const,
  );
  return [
    gauge('ledgerd_info', 'The version of the program.', [
      { labels: { version: sources.version }, value: 1 },
    ]),
    gauge('ledgerd_block_height', 'Number of the newest block.', head.number),
    gauge('ledgerd_block_age_seconds', 'Seconds since the newest block was made.', blockAge),
    gauge('ledgerd_lag_blocks', 'Known blocks that the node does not have yet.', lag.blocks),
    gauge('ledgerd_lag_seconds', 'Age of the newest block if newer ones are known, else 0.', lag.seconds),
    gauge(
      'ledgerd_producer_missing',
      '1 if the producer made no block in its last turn, or this node lacks its key; else 0.',
      labelled('producer', producers),
    ),
    gauge('ledgerd_pending_transactions', 'Pending transactions.', sources.pendingTransactions()),
    counter(
      'ledgerd_signature_checks_total',
      'Signature checks, by the thread that ran them.',
      labelled('thread', Object.entries({ ledger: own, other: ahead })),
    ),
    gauge('ledgerd_workers', 'Worker processes that run queries.', sources.workers()),
    gauge('ledgerd_store_file_bytes', 'Bytes of the database file.', store.fileBytes),
    gauge('ledgerd_store_used_bytes', 'Bytes in use of the database file.', store.usedBytes),
    gauge('ledgerd_store_readers', 'Open snapshots of the database.', store.readers),
    gauge(
      'ledgerd_store_oldest_reader_transactions',
      'Commits since the oldest snapshot; space freed since then cannot be reused.',
      store.oldestReaderTransactions,
    ),
    gauge(
      'ledgerd_store_write_failed',
      '1 if the last write of a block or transaction failed, else 0.',
      writeFailed,
    ),
    gauge(
      'ledgerd_store_unwritten_blocks',
      'Newest blocks that are only in memory, such as those of a temporary chain.',
      writing.unwrittenBlocks,
    ),
  ];
}

/** Lists the metrics of the server, which are 0 before it starts. */
function serverMetrics(counted: Counters): Metric[] {
  const { waits, connections, webSockets } = counted.server ?? {};
  const held = HELD_KINDS.map((kind) => [kind, connections?.held[kind] ?? 0] as const);
  return [
    gauge('ledgerd_block_waits', 'Requests that wait for a block.', waits?.size ?? 0),
    gauge('ledgerd_connections', 'Connections of clients.', connections?.size ?? 0),
    gauge('ledgerd_websockets', 'WebSockets of clients.', webSockets?.size ?? 0),
    gauge('ledgerd_subscriptions', 'Subscriptions.', webSockets?.subscriptions ?? 0),
    gauge(
      'ledgerd_websocket_unread_bytes',
      'Bytes sent over WebSockets that clients have not read.',
      webSockets?.unreadBytes ?? 0,
    ),
    counter(
      'ledgerd_websockets_closed_total',
      'Closed WebSockets, by reason.',
      labelled('reason', webSockets?.closed ?? []),
    ),
    gauge('ledgerd_held_bytes', 'Bytes held for clients, by kind.', labelled('kind', held)),
  ];
}

function countedMetrics(counted: Counters): Metric[] {
  const { calls, refused, waited, applying, committing, lag } = counted;
  return [
    counter('ledgerd_calls_total', 'Calls, by method and outcome.', calls.countSamples()),
    histogram(
      'ledgerd_call_duration_seconds',
      'Duration of calls with their time in queues.',
      calls.timeSamples(),
    ),
    counter(
      'ledgerd_refused_total',
      'Requests refused and connections closed before a method was called, by reason.',
      labelled('reason', refused),
    ),
    counter(
      'ledgerd_block_waits_total',
      'Requests that had to wait for a block (Ledgerd-Min-Block), by outcome.',
      labelled('outcome', waited),
    ),
    histogram('ledgerd_block_apply_seconds', 'Time to apply a block.', applying.samples()),
    histogram('ledgerd_block_commit_seconds', 'Time to store a block.', committing.samples()),
    histogram('ledgerd_event_loop_lag_seconds', 'Delay of the event loop.', lag.samples()),
    counter('ledgerd_evm_gas_total', 'EVM gas charged in blocks since the start.', Number(counted.gas)),
  ];
}

/** Lists the metrics of the block log, which have no value without one. */
function logMetrics(sources: MetricsSources): Metric[] {
  const log = sources.blockLog();
  const halted = log && Number(log.halted !== undefined);
  return [
    gauge('ledgerd_log_height', 'Number of the newest known block in the log.', log?.head),
    gauge('ledgerd_log_silent_seconds', 'Seconds since the last response of the log.', log?.silentSeconds),
    gauge('ledgerd_log_halted', '1 if an inconsistent log has halted the node, else 0.', halted),
    counter(
      'ledgerd_log_losses_total',
      'Interruptions of the log: lost connections, and elections of its leader.',
      log?.losses,
    ),
    counter('ledgerd_log_elections_total', 'Observed elections of a leader.', log?.elections),
    counter(
      'ledgerd_log_appends_total',
      'Blocks that this node appended, by outcome.',
      labelled('outcome', Object.entries(log?.appends ?? {})),
    ),
    counter(
      'ledgerd_log_transactions_total',
      'Transactions sent to or received from other nodes, by outcome.',
      labelled('kind', Object.entries(log?.transactions ?? {})),
    ),
  ];
}

const MICROSECONDS = 1e6;

/** Lists metrics of the process, by the standard names of Prometheus clients. */
function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const startTime = performance.timeOrigin / 1_000;
  return [
    counter('process_cpu_seconds_total', 'Processor time of the process.', (user + system) / MICROSECONDS),
    gauge('process_resident_memory_bytes', 'Resident memory.', rss),
    gauge('nodejs_heap_used_bytes', 'Used bytes of the JavaScript heap.', heapUsed),
    gauge('nodejs_array_buffer_bytes', 'Bytes of buffers outside the heap.', arrayBuffers),
    gauge('process_start_time_seconds', 'Unix time of the start.', startTime),
    gauge('process_open_fds', 'Open files and connections.', openFiles()),
  ];
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    // The path exists only on Linux.
    return undefined;
  }
}
