import type { Registry } from 'prom-client';
import type { BlockLogStatus, Outcome } from '../../rpc/index.ts';
import { HELD_KINDS, type HeldBytes } from '../../scheduling/index.ts';
import { blockLogMetrics } from './block-log-metrics.ts';
import { CallCounters } from './call-counters.ts';
import { PROCESS_METRICS } from './process-metrics.ts';
import { counter, gauge, histogram, labelled, register, type SampledMetric } from './sample.ts';
import { TimeHistogram } from './time-histogram.ts';
import { type WatchedWebSockets, webSocketMetrics } from './web-socket-metrics.ts';

/** Milliseconds between two measurements of how late the event loop is. */
const EVENT_LOOP_SAMPLE_MS = 100;

/** Why the server refused something, or closed a connection, before any method saw it. */
export const REFUSAL_REASONS = [
  /** The Host header names another host. */
  'host',
  /** The Origin header names a web page that may not ask. */
  'origin',
  'bodySize',
  'headerSize',
  /** A request that took too long to arrive. */
  'timeout',
  /** Bytes that are no request. */
  'malformed',
  /** A client that makes more calls than it may. */
  'rate',
  /** All connections were at work. */
  'connections',
  /** A connection that gave its place to a new one. */
  'displaced',
  /** A new connection of a client of which too many ended without a request. */
  'unused',
  /** Bytes held for all clients together. */
  'memory',
] as const;
/** Why a request was refused before any method was asked. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** How a wait for a block ends: it is here; it did not come in time; the wait was not begun. */
const WAIT_OUTCOMES = ['reached', 'late', 'refused'] as const;
/** How the wait of a request for a block ended. */
export type WaitOutcome = (typeof WAIT_OUTCOMES)[number];

/** Sources of the metrics of a node; each is asked at a scrape. */
export interface MetricsSources {
  /** The version of the program. */
  readonly version: string;
  /** The newest block; its time in Unix seconds. */
  head(): { readonly number: number; readonly timestamp: number };
  /** The time of day that blocks go by, in Unix seconds. */
  now(): number;
  /** How far the newest block here is behind the newest that is known. */
  lag(): { readonly blocks: number; readonly seconds: number };
  /** The block log that the node shares with others; undefined where it has none. */
  blockLog(): BlockLogStatus | undefined;
  pendingTransactions(): number;
  /** Processes that answer queries beside the node's own. */
  workers(): number;
  /** Blocks that are in memory alone, and whether what was last to be written could not be. */
  writing(): { readonly unwrittenBlocks: number; readonly hasFailed: boolean };
  store(): {
    readonly fileBytes: number;
    readonly usedBytes: number;
    readonly readers: number;
    readonly oldestReaderTransactions: number;
  };
}

/** The connections of a server, as far as they are counted. */
export interface WatchedConnections {
  readonly size: number;
  /** Bytes that are held for them. */
  readonly held: HeldBytes;
}

const NO_CONNECTIONS: WatchedConnections = {
  size: 0,
  held: { requests: 0, values: 0, answers: 0, unread: 0 },
};

/** What making or importing a block took. */
export interface BlockWorkFigures {
  readonly applyMilliseconds: number;
  readonly commitMilliseconds: number;
  /** EVM gas that was charged. */
  readonly gas: bigint;
}

/** Counts what a node does, and tells it in Prometheus' text format. */
export class Metrics {
  #registry: Promise<Registry> | undefined;
  readonly #sources: MetricsSources;
  readonly #calls = new CallCounters();
  readonly #applying = new TimeHistogram();
  readonly #committing = new TimeHistogram();
  readonly #lag = new TimeHistogram();
  readonly #refused = new Map<RefusalReason, number>(REFUSAL_REASONS.map((reason) => [reason, 0]));
  readonly #waited = new Map<WaitOutcome, number>(WAIT_OUTCOMES.map((outcome) => [outcome, 0]));
  readonly #lagTimer: NodeJS.Timeout;
  #gas = 0n;
  #connections: WatchedConnections = NO_CONNECTIONS;
  #webSockets: WatchedWebSockets | undefined;
  #waits: { readonly size: number } = { size: 0 };
  /** The figures of the store at the last scrape. */
  #stored: ReturnType<MetricsSources['store']> | undefined;

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    this.#lagTimer = measureLag(this.#lag);
  }

  /** Media type of `text`. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';

  /** Counts a call: for the context of a dispatcher. */
  readonly onCall = (method: string, outcome: Outcome, milliseconds: number): void => {
    this.#calls.count(method, outcome, milliseconds);
  };

  /** Counts a block that was stored. */
  readonly onBlock = ({ applyMilliseconds, commitMilliseconds, gas }: BlockWorkFigures): void => {
    this.#applying.observe(applyMilliseconds);
    this.#committing.observe(commitMilliseconds);
    this.#gas += gas;
  };

  /** Counts what the server refused. */
  readonly onRefused = (reason: RefusalReason): void => {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  };

  /** Counts a wait for a block, when it is over or was not begun. */
  readonly onWaited = (outcome: WaitOutcome): void => {
    this.#waited.set(outcome, (this.#waited.get(outcome) ?? 0) + 1);
  };

  /** Lets the server say how many requests wait for a block. */
  watchWaits(waits: { readonly size: number }): void {
    this.#waits = waits;
  }

  /** Lets the server say how many connections it has, and what it holds for them. */
  watchConnections(connections: WatchedConnections): void {
    this.#connections = connections;
  }

  /** Lets the server say how its WebSockets are doing. */
  watchWebSockets(webSockets: WatchedWebSockets): void {
    this.#webSockets = webSockets;
  }

  /** All metrics, as of now. */
  async text(): Promise<string> {
    this.#registry ??= this.#makeRegistry();
    const registry = await this.#registry;
    this.#stored = this.#sources.store();
    return registry.metrics();
  }

  /** Loads what writes the format: most nodes are never scraped. */
  async #makeRegistry(): Promise<Registry> {
    const { Registry } = await import('prom-client');
    const registry = new Registry();
    const log = blockLogMetrics(() => this.#sources.blockLog());
    for (const metric of [...this.#nodeMetrics(), ...this.#workMetrics(), ...log, ...PROCESS_METRICS]) {
      register(registry, metric);
    }
    return registry;
  }

  /** Ends what runs for the metrics. */
  close(): void {
    clearInterval(this.#lagTimer);
  }

  #nodeMetrics(): SampledMetric[] {
    const { version, head, now, lag, pendingTransactions, workers, writing } = this.#sources;
    const stored = (figure: keyof ReturnType<MetricsSources['store']>) => () => this.#stored?.[figure] ?? 0;
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
      gauge('ledgerd_pending_transactions', 'Transactions that wait for a block.', pendingTransactions),
      gauge('ledgerd_workers', 'Processes that answer queries beside the node itself.', workers),
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
      gauge('ledgerd_block_waits', 'Requests that wait for a block.', () => this.#waits.size),
      gauge('ledgerd_connections', 'Connections of clients.', () => this.#connections.size),
      ...webSocketMetrics(() => this.#webSockets),
      gauge('ledgerd_held_bytes', 'Bytes that are held for clients, by what they are.', () =>
        HELD_KINDS.map((kind) => ({ labels: { kind }, value: this.#connections.held[kind] })),
      ),
    ];
  }

  #workMetrics(): SampledMetric[] {
    return [
      counter('ledgerd_calls_total', 'Calls that were answered, by method and outcome.', () =>
        this.#calls.countSamples(),
      ),
      histogram(
        'ledgerd_call_duration_seconds',
        'How long calls took, their wait for their turn included.',
        (name) => this.#calls.timeSamples(name),
      ),
      counter(
        'ledgerd_refused_total',
        'Requests that were refused and connections that were closed before any method saw them.',
        () => labelled('reason', this.#refused),
      ),
      counter(
        'ledgerd_block_waits_total',
        'Requests that had to wait for a block (Ledgerd-Min-Block), by how that ended.',
        () => labelled('outcome', this.#waited),
      ),
      histogram('ledgerd_block_apply_seconds', 'How long blocks took to be applied.', (name) =>
        this.#applying.samples(name),
      ),
      histogram('ledgerd_block_commit_seconds', 'How long blocks took to be stored.', (name) =>
        this.#committing.samples(name),
      ),
      histogram('ledgerd_event_loop_lag_seconds', 'How late the event loop was.', (name) =>
        this.#lag.samples(name),
      ),
      counter(
        'ledgerd_evm_gas_total',
        'EVM gas that operations of blocks were charged since the start.',
        () => Number(this.#gas),
      ),
    ];
  }
}

/** Measures how late a timer is, again and again. */
function measureLag(lag: TimeHistogram): NodeJS.Timeout {
  let due = performance.now() + EVENT_LOOP_SAMPLE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - due));
    due = now + EVENT_LOOP_SAMPLE_MS;
  }, EVENT_LOOP_SAMPLE_MS);
  return timer.unref();
}
