/** One number of a metric at the moment of a scrape. */
export interface Sample {
  /** The part of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** A value without labels, or samples; undefined for none. */
  readonly values: number | readonly Sample[] | undefined;
}

/** Writes metrics in Prometheus' text format, version 0.0.4. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(textOf).join('\n');
}

function textOf({ name, help, type, values = [] }: Metric): string {
  const samples: readonly Sample[] = typeof values === 'number' ? [{ value: values }] : values;
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelsText(labels)} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: NonNullable<Sample['labels']>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}
