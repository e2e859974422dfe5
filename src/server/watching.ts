import { type Handler, JSON_TYPE } from './http-answer.ts';
import type { Metrics } from './metrics/metrics.ts';

/** How a node is. */
export interface HealthReport {
  /** Whether it does what it is there for. */
  readonly ok: boolean;
  /** What an operator should look after. */
  readonly problems: readonly string[];
  /** Number of the newest block. */
  readonly block: number;
  /** Seconds since it was made. */
  readonly blockAge: number;
}

/** Prepares the responses to GET for the health of the node: status 200, or 503 when it is not well. */
export function healthServer(health: () => HealthReport): Handler {
  return () => {
    const report = health();
    const fields = { 'cache-control': 'no-store', 'content-type': JSON_TYPE };
    return { status: report.ok ? 200 : 503, fields, body: JSON.stringify(report) };
  };
}

/** Prepares the responses to GET for the metrics of the node, in Prometheus' text format. */
export function metricsServer(metrics: Metrics): Handler {
  return async () => {
    const fields = { 'cache-control': 'no-store', 'content-type': metrics.contentType };
    return { status: 200, fields, body: await metrics.text() };
  };
}
