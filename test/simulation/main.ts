/** The program of `scripts/simulation.js`: so many seeds, from a first one on. */

import { describeSummary, runSimulations } from './campaign.ts';

const [seeds = 0, seed = 0] = process.argv.slice(2).map(Number);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
print(`${seeds} runs from seed ${seed} on`);
print(describeSummary(await runSimulations({ seeds, seed, report: print })));
