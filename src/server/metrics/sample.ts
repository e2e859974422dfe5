import type { Metric, Registry } from 'prom-client';

/** One number of a metric at the moment of a scrape. */
export interface Sample {
  /** Where it differs from the metric's: the parts of a histogram. */
  readonly metricName?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A metric whose numbers are looked up when they are asked for. */
export interface SampledMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[];
}

/**
 * Adds a metric to a registry of prom-client, which writes the format. Its own counters and histograms hash the
 * labels at every count, so the numbers are kept elsewhere; of what is registered it only asks `get`.
 */
export function register(registry: Registry, { name, help, type, samples }: SampledMetric): void {
  const metric = {
    name,
    help,
    type,
    aggregator: 'sum',
    get: async () => ({ name, help, type, values: samples() }),
  };
  registry.registerMetric(metric as unknown as Metric); // the part of a metric that a registry uses
}
