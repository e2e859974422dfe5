import type { Mutation } from './machine.ts';
import { type Count, simulate } from './simulation.ts';

/** Options of a campaign. */
export interface SimulationOptions {
  readonly seeds: number;
  /** The first one; the others follow it. */
  readonly seed: number;
  /** Gets a line of progress every now and then. */
  report?(line: string): void;
}

/** Counts of all runs together. */
export type SimulationSummary = Readonly<Record<Count | 'runs', number>>;

/** Lines of the journal that a failure shows. */
const LINES_MAX = 400;
/** Runs between two lines of progress. */
const REPORT_RUNS = 20;

/**
 * Simulates clusters with injected faults, one for each seed.
 *
 * @throws an error for the first violation of a guarantee, with its seed and its journal
 */
export async function runSimulations(options: SimulationOptions): Promise<SimulationSummary> {
  let summary: SimulationSummary = NOTHING;
  for (let seed = options.seed; seed < options.seed + options.seeds; seed += 1) {
    const { violations, journal, counts } = await simulate(seed);
    if (violations.length > 0) {
      const lines = [...journal.slice(-LINES_MAX), `seed ${seed}:`, ...violations];
      throw new Error(`what was promised does not hold with seed ${seed}\n${lines.join('\n')}`);
    }
    summary = add(summary, { ...counts, runs: 1 });
    if (summary.runs % REPORT_RUNS === 0) options.report?.(describeSummary(summary));
  }
  return summary;
}

/**
 * Searches a seed with which the checks detect a mutation.
 *
 * @returns the first violation; undefined if none was detected
 */
export async function findOut(
  mutation: Mutation,
  options: SimulationOptions,
): Promise<readonly string[] | undefined> {
  for (let seed = options.seed; seed < options.seed + options.seeds; seed += 1) {
    const { violations } = await simulate(seed, mutation);
    if (violations.length > 0) return violations;
  }
  return undefined;
}

/** All of it in a line. */
export function describeSummary(summary: SimulationSummary): string {
  return Object.entries(summary)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

const NOTHING: SimulationSummary = {
  ...{ runs: 0, machines: 0, starts: 0, faults: 0, blocks: 0, passedOver: 0, conflict: 0, ambiguous: 0 },
  ...{ wrongClocks: 0, answered: 0, included: 0, ethereum: 0 },
};

function add(one: SimulationSummary, other: SimulationSummary): SimulationSummary {
  const names = Object.keys(NOTHING) as (keyof SimulationSummary)[];
  const sums = names.map((name) => [name, one[name] + other[name]] as const);
  return Object.fromEntries(sums) as SimulationSummary; // with all names of `NOTHING`
}
