import { ETHEREUM_METHODS, METHODS, OTHER_METHOD, OUTCOMES, type Outcome } from '../../rpc/index.ts';
import type { Sample } from './sample.ts';
import { TimeHistogram } from './time-histogram.ts';

/** Counts the calls of each method. The labels are the methods of both profiles and one for all other names. */
export class CallCounters {
  readonly #methods = [...new Set([...METHODS.keys(), ...ETHEREUM_METHODS.keys(), OTHER_METHOD])];
  readonly #methodIndexes: ReadonlyMap<string, number> = indexesOf(this.#methods);
  readonly #outcomeIndexes: ReadonlyMap<string, number> = indexesOf(OUTCOMES);
  readonly #counts = new Float64Array(this.#methods.length * OUTCOMES.length);
  readonly #times = new TimeHistogram(this.#methods.length);

  /** Counts a call. Allocates nothing: it is on the way of every response. */
  count(method: string, outcome: Outcome, milliseconds: number): void {
    const series = this.#methodIndexes.get(method) ?? this.#methods.length - 1;
    const place = series * OUTCOMES.length + (this.#outcomeIndexes.get(outcome) ?? 0);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#times.observe(milliseconds, series);
  }

  countSamples(): Sample[] {
    const samples = this.#methods.flatMap((method, series) =>
      OUTCOMES.map((outcome, index) => ({
        labels: { method, outcome },
        value: this.#counts[series * OUTCOMES.length + index] ?? 0,
      })),
    );
    return samples.filter(({ value }) => value > 0);
  }

  timeSamples(name: string): Sample[] {
    return this.#methods.flatMap((method, series) => this.#times.samples(name, { method }, series));
  }
}

function indexesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
