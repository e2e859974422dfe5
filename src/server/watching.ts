import type { FastifyReply, FastifyRequest } from 'fastify';
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

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Prepares the answers to GET for the health of the node: status 200, or 503 when it is not well. */
export function healthServer(health: () => HealthReport): Handler {
  return (_request, reply) => {
    const report = health();
    return reply
      .code(report.ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('application/json')
      .send(JSON.stringify(report));
  };
}

/** Prepares the answers to GET for the metrics of the node, in Prometheus' text format. */
export function metricsServer(metrics: Metrics): Handler {
  return async (_request, reply) => {
    const text = await metrics.text();
    return reply.header('cache-control', 'no-store').type(metrics.contentType).send(text);
  };
}
