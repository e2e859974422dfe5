/** Runs the rows of the suite against one target, some of them concurrently, and reports the findings. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checks } from './harness/checks.js';
import { boundSuite } from './harness/processes.js';
import { printFinding, printJson, printTable } from './harness/report.js';
import { toolOf } from './harness/row.js';
import { openTarget } from './harness/targets.js';
import { watchTarget } from './harness/watched.js';

/** Time limit of the suite. */
const LIMIT_MS = 20 * 60_000;

/**
 * @typedef {object} Options
 * @property {'ledgerd' | 'drop-in' | 'anvil'} target
 * @property {string} url of a node that already serves; empty to start one
 * @property {readonly string[]} rows
 * @property {number} parallel rows that run at the same time
 * @property {boolean} json
 */

/**
 * Runs the suite.
 *
 * @param {Options} options
 * @returns {Promise<number>} the exit status: 1 when something failed
 */
export async function runSuite({ target: name, url, rows, parallel, json }) {
  const started = performance.now();
  const unbound = boundSuite(LIMIT_MS);
  const scratch = mkdtempSync(join(tmpdir(), 'ledgerd-tools-'));
  const opened = await openTarget(name, url);
  const { target, judge } = await watchTarget(opened);
  /** @type {import('./harness/checks.js').Finding[]} */
  let findings = [];
  try {
    const report = json ? () => undefined : printFinding;
    findings = [
      ...(await runRows(rows, parallel, target, scratch, report)),
      ...(await judge(new Checks('schemas', 'Execution APIs', target.name, report))),
    ];
  } finally {
    unbound();
    await target.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1_000;
  const print = json ? printJson : printTable;
  print(target, findings, seconds);
  return findings.some(({ outcome }) => outcome === 'fail') ? 1 : 0;
}

/**
 * @param {readonly string[]} names
 * @param {number} parallel
 * @param {import('./harness/targets.js').Target} target
 * @param {string} scratch
 * @param {(finding: import('./harness/checks.js').Finding) => void} report
 */
async function runRows(names, parallel, target, scratch, report) {
  const queue = [...names];
  /** @type {Map<string, Checks>} */
  const done = new Map();
  const runNext = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const { row } = await import(`./rows/${name}.js`);
      const checks = new Checks(name, toolOf(row), target.name, report);
      done.set(name, checks);
      const folder = mkdtempSync(join(scratch, `${name}-`));
      await checks.runRow(() => row.run(checks, target, folder));
    }
  };
  await Promise.all(Array.from({ length: parallel }, runNext));
  return names.flatMap((name) => done.get(name)?.findings ?? []);
}
