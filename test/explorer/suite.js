/** Runs the rows of the suite in one browser, and reports the findings. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checks } from '../tools/harness/checks.js';
import { boundSuite } from '../tools/harness/processes.js';
import { printFinding } from '../tools/harness/report.js';
import { startBrowser } from './harness/browser.js';
import { findChromium } from './harness/chromium.js';
import { makeHistory } from './harness/history.js';
import { startNode } from './harness/node.js';

/** After which everything is ended. */
const LIMIT_MS = 15 * 60_000;

/**
 * The objects that rows share.
 *
 * @typedef {object} World
 * @property {import('playwright-core').Browser} browser
 * @property {import('./harness/node.js').Node} node in test mode, with a busy and hostile history
 * @property {import('./harness/history.js').History} history
 * @property {string} scratch a folder of the suite
 * @property {number} seconds duration of observations
 *
 * @typedef {{ run: (checks: Checks, world: World) => Promise<void> }} Row
 */

/**
 * Runs the suite.
 *
 * @param {{ rows: readonly string[], chromium: string, seconds: number }} options
 * @returns {Promise<number>} the exit status: 1 when something failed
 */
export async function runSuite({ rows, chromium, seconds }) {
  const program = findChromium(chromium);
  const unbound = boundSuite(LIMIT_MS);
  const scratch = mkdtempSync(join(tmpdir(), 'ledgerd-explorer-'));
  const node = await startNode();
  const browser = await startBrowser(program);
  /** @type {import('../tools/harness/checks.js').Finding[]} */
  const findings = [];
  try {
    const world = { browser, node, history: await makeHistory(node), scratch, seconds };
    for (const name of rows) {
      const { row } = await import(`./rows/${name}.js`);
      const checks = new Checks(name, `Chromium ${browser.version()}`, 'ledgerd', printFinding);
      await checks.runRow(() => row.run(checks, world));
      findings.push(...checks.findings);
    }
  } finally {
    unbound();
    await browser.close();
    await node.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
  const failures = findings.filter(({ outcome }) => outcome === 'fail');
  for (const { row, what, detail } of failures) process.stdout.write(`\n--- ${row}: ${what}\n${detail}\n`);
  process.stdout.write(`\n${findings.length - failures.length} pass, ${failures.length} fail\n`);
  return failures.length > 0 ? 1 : 0;
}
