import { CallCounters, TimeHistogram } from './counts.ts';
import { type Counters, type MetricsSources, metricTable, type WatchedServer } from './metric-table.ts';
import { metricsText } from './text-format.ts';

/** Milliseconds between two measurements of the delay of the event loop. */
const EVENT_LOOP_SAMPLE_MS = 100;

/** Reasons for the refusal of a request, or the end of a connection, before a method is called. */
export const REFUSAL_REASONS = [
  /** The Host header names another host. */
  'host',
  /** The Origin header names a web page that is not allowed. */
  'origin',
  'bodySize',
  'headerSize',
  /** A request that took too long to arrive. */
  'timeout',
  /** A violation of the syntax of HTTP. */
  'malformed',
  /** A client that exceeds its rate of calls. */
  'rate',
  /** No connection could be displaced: all had a request in process. */
  'connections',
  /** A connection that was closed to admit a new one. */
  'displaced',
  /** A new connection of a client with too many connections that ended without a request. */
  'unused',
  /** The bound of the bytes held for all clients. */
  'memory',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Outcomes of a wait for a block: it arrived, it did not arrive in time, or the wait was refused. */
const WAIT_OUTCOMES = ['reached', 'late', 'refused'] as const;
export type WaitOutcome = (typeof WAIT_OUTCOMES)[number];

/** Cost of making or importing a block. */
interface BlockWorkFigures {
  readonly applyMilliseconds: number;
  readonly commitMilliseconds: number;
  /** EVM gas that was charged. */
  readonly gas: bigint;
}

/** The metrics of a node, in Prometheus' text format. */
export class Metrics implements Counters {
  readonly #sources: MetricsSources;
  readonly #lagTimer: NodeJS.Timeout;
  readonly calls = new CallCounters();
  readonly applying = new TimeHistogram();
  readonly committing = new TimeHistogram();
  readonly lag = new TimeHistogram();
  readonly refused = new Map<RefusalReason, number>(REFUSAL_REASONS.map((reason) => [reason, 0]));
  readonly waited = new Map<WaitOutcome, number>(WAIT_OUTCOMES.map((outcome) => [outcome, 0]));
  gas = 0n;
  server: WatchedServer | undefined;

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    this.#lagTimer = measureLag(this.lag);
  }

  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';

  readonly onCall = this.calls.count;

  readonly onBlock = ({ applyMilliseconds, commitMilliseconds, gas }: BlockWorkFigures): void => {
    this.applying.observe(applyMilliseconds);
    this.committing.observe(commitMilliseconds);
    this.gas += gas;
  };

  readonly onRefused = (reason: RefusalReason): void => {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  };

  /** Counts a wait for a block at its end. */
  readonly onWaited = (outcome: WaitOutcome): void => {
    this.waited.set(outcome, (this.waited.get(outcome) ?? 0) + 1);
  };

  text(): string {
    return metricsText(metricTable(this.#sources, this));
  }

  close(): void {
    clearInterval(this.#lagTimer);
  }
}

/** Samples the delay of a periodic timer. */
function measureLag(lag: TimeHistogram): NodeJS.Timeout {
  let due = performance.now() + EVENT_LOOP_SAMPLE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - due));
    due = now + EVENT_LOOP_SAMPLE_MS;
  }, EVENT_LOOP_SAMPLE_MS);
  return timer.unref();
}
