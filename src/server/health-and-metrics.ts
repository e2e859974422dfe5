import { setTimeout as delay } from 'node:timers/promises';
import { ownBody, type ResponseBody } from '../rpc/index.ts';
import { type Handler, JSON_TYPE } from './http-response.ts';
import type { Metrics } from './metrics/metrics.ts';

/** Share of the node's time for the text of the metrics, and the longest pause after one in milliseconds. */
const METRICS_TIME_SHARE = 0.1;
const METRICS_PAUSE_MS_MAX = 100;

export interface HealthReport {
  /** True if the node is healthy. */
  readonly ok: boolean;
  /** Problems that an operator has to solve. */
  readonly problems: readonly string[];
  /** Deviations elsewhere, while this node is healthy. */
  readonly warnings: readonly string[];
  /** Number of the newest block. */
  readonly block: number;
  /** Seconds since that block was made. */
  readonly blockAge: number;
}

/** Responds with the health of the node: status 200, or 503 if it is not healthy. */
export function healthHandler(health: () => HealthReport): Handler {
  return () => {
    const report = health();
    const headers = { 'cache-control': 'no-store', 'content-type': JSON_TYPE };
    return { status: report.ok ? 200 : 503, headers, body: JSON.stringify(report) };
  };
}

/**
 * Responds with the metrics of the node in Prometheus' text format. A text takes milliseconds, so the node spends a
 * bounded share of its time on it: waiting requests share the next text.
 */
export function metricsHandler(metrics: Pick<Metrics, 'text' | 'contentType'>): Handler {
  let next: Promise<ResponseBody> | undefined;
  /** Earliest time of the next text. */
  let due = 0;
  const make = async (): Promise<ResponseBody> => {
    await delay(Math.max(0, due - performance.now()));
    const began = performance.now();
    try {
      return ownBody(Buffer.from(metrics.text()));
    } finally {
      const ended = performance.now();
      const pauseMs = (ended - began) * (1 / METRICS_TIME_SHARE - 1);
      due = ended + Math.min(pauseMs, METRICS_PAUSE_MS_MAX);
      next = undefined;
    }
  };
  return async () => {
    next ??= make();
    const headers = { 'cache-control': 'no-store', 'content-type': metrics.contentType };
    return { status: 200, headers, body: await next };
  };
}
