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

/** The numbers of a metric: one without labels, or samples; none while it is undefined. */
type Figures = number | readonly Sample[] | undefined;

/** Describes a number that rises and falls. */
export function gauge(name: string, help: string, figures: () => Figures): SampledMetric {
  return { name, help, type: 'gauge', samples: () => samplesOf(figures()) };
}

/** Describes a number that only rises. */
export function counter(name: string, help: string, figures: () => Figures): SampledMetric {
  return { name, help, type: 'counter', samples: () => samplesOf(figures()) };
}

/** Describes durations in buckets; the source gets the metric's name, which those of its samples begin with. */
export function histogram(
  name: string,
  help: string,
  source: (name: string) => readonly Sample[],
): SampledMetric {
  return { name, help, type: 'histogram', samples: () => source(name) };
}

/** The samples of numbers with a label each. */
export function labelled(label: string, numbers: Iterable<readonly [string, number]>): Sample[] {
  return Array.from(numbers, ([name, value]) => ({ labels: { [label]: name }, value }));
}

function samplesOf(figures: Figures): readonly Sample[] {
  return typeof figures === 'number' ? [{ value: figures }] : (figures ?? []);
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
