import type { Outcome } from './judge.ts';

/** Counts the responses of each method by kind. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();

  add({ method, kind }: Outcome): void {
    const counts = this.#counts.get(method) ?? new Map<string, number>();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    this.#counts.set(method, counts);
  }

  /** Methods that gave at least one result. */
  answered(): readonly string[] {
    return [...this.#counts].filter(([, counts]) => counts.has('result')).map(([method]) => method);
  }

  /** Lists for each method its name and the numbers of its responses by kind. */
  lines(): readonly string[] {
    return [...this.#counts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([method, counts]) => {
        const shares = [...counts].sort().map(([kind, count]) => `${kind}: ${count}`);
        return `${method.padEnd(40)} ${shares.join('  ')}`;
      });
  }
}
