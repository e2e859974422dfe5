import { ETHEREUM_METHODS, METHODS, OTHER_METHOD, OUTCOMES, type Outcome } from '../../rpc/index.ts';
import type { Sample } from './text-format.ts';

/** Upper bounds of the buckets in seconds: from a lookup to the longest call. */
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

  /** @param series number of series, which are identified by their indexes */
  constructor(series = 1) {
    this.#counts = new Float64Array(series * BUCKETS);
    this.#sums = new Float64Array(series);
  }

  observe(milliseconds: number, series = 0): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && milliseconds > (bounds[bucket] ?? 0)) bucket += 1;
    const index = series * BUCKETS + bucket;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sums[series] = (this.#sums[series] ?? 0) + milliseconds;
  }

  /** Returns the samples of a series; none for one without a count. */
  samples(labels: Readonly<Record<string, string>> = {}, series = 0): Sample[] {
    const samples: Sample[] = [];
    let count = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      count += this.#counts[series * BUCKETS + bucket] ?? 0;
      const le = BOUNDS[bucket] ?? '+Inf';
      samples.push({ suffix: '_bucket', labels: { ...labels, le }, value: count });
    }
    if (count === 0) return [];
    samples.push({ suffix: '_sum', labels, value: (this.#sums[series] ?? 0) / 1_000 });
    samples.push({ suffix: '_count', labels, value: count });
    return samples;
  }
}

/** Counts the calls of each method. The labels are the methods of both profiles, and one for all unknown names. */
export class CallCounters {
  readonly #methods = [...new Set([...METHODS.keys(), ...ETHEREUM_METHODS.keys(), OTHER_METHOD])];
  readonly #methodIndexes: ReadonlyMap<string, number> = indexesOf(this.#methods);
  readonly #outcomeIndexes: ReadonlyMap<string, number> = indexesOf(OUTCOMES);
  readonly #counts = new Float64Array(this.#methods.length * OUTCOMES.length);
  readonly #times = new TimeHistogram(this.#methods.length);

  /** Counts a call. Allocates nothing, since every response is counted. */
  readonly count = (method: string, outcome: Outcome, milliseconds: number): void => {
    const series = this.#methodIndexes.get(method) ?? this.#methods.length - 1;
    const index = series * OUTCOMES.length + (this.#outcomeIndexes.get(outcome) ?? 0);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#times.observe(milliseconds, series);
  };

  countSamples(): Sample[] {
    const samples = this.#methods.flatMap((method, series) =>
      OUTCOMES.map((outcome, index) => ({
        labels: { method, outcome },
        value: this.#counts[series * OUTCOMES.length + index] ?? 0,
      })),
    );
    return samples.filter(({ value }) => value > 0);
  }

  timeSamples(): Sample[] {
    return this.#methods.flatMap((method, series) => this.#times.samples({ method }, series));
  }
}

function indexesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
