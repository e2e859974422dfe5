import type { Sample } from './sample.ts';

/** Upper bounds of the buckets in seconds: from a look-up to the longest call. */
const BOUNDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
/** The last bucket has no bound. */
const BUCKETS = BOUNDS.length + 1;

/** Counts durations in buckets, for several series at once. Counting allocates nothing. */
export class TimeHistogram {
  readonly #bounds = Float64Array.from(BOUNDS, (seconds) => seconds * 1_000);
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;

  /** @param series how many series there are; they go by their indexes */
  constructor(series = 1) {
    this.#counts = new Float64Array(series * BUCKETS);
    this.#sums = new Float64Array(series);
  }

  observe(milliseconds: number, series = 0): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && milliseconds > (bounds[bucket] ?? 0)) bucket += 1;
    const place = series * BUCKETS + bucket;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sums[series] = (this.#sums[series] ?? 0) + milliseconds;
  }

  /** What there is to tell of a series; nothing of one that nothing was counted for. */
  samples(name: string, labels: Readonly<Record<string, string>> = {}, series = 0): Sample[] {
    const samples: Sample[] = [];
    let count = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      count += this.#counts[series * BUCKETS + bucket] ?? 0;
      const le = BOUNDS[bucket] ?? '+Inf';
      samples.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: count });
    }
    if (count === 0) return [];
    samples.push({ metricName: `${name}_sum`, labels, value: (this.#sums[series] ?? 0) / 1_000 });
    samples.push({ metricName: `${name}_count`, labels, value: count });
    return samples;
  }
}
