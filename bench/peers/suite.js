/** The miniature suite as work that is measured: each run is a process of its own, as a developer's would be. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A suite that takes longer has come to a standstill. */
const TIMEOUT_MS = 600_000;

/** The suites; their results are checked by themselves on every run. */
export const SUITE_WORK = ['viem', 'ethers'].map((client) => ({
  name: `suite ${client}`,
  title: `miniature test suite through ${client}`,
  unit: 'ms',
  tool: 'client',
  check: async () => undefined,
  measure: async ({ url }, { contracts, folder }) => {
    const file = join(folder, 'contracts.json');
    writeFileSync(file, JSON.stringify(contracts));
    const program = fileURLToPath(new URL(`suite/${client}.js`, import.meta.url));
    const { stdout } = await run(process.execPath, [program, url, file], { timeout: TIMEOUT_MS });
    return JSON.parse(stdout).ms;
  },
}));
