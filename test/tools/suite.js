/** Runs the rows of the suite against one target, some of them concurrently, and reports the findings. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checks } from './harness/checks.js';
import { boundSuite } from './harness/processes.js';
import { printJson, printTable, tellOf } from './harness/report.js';
import { toolOf } from './harness/row.js';
import { openTarget } from './harness/targets.js';
import { watchTarget } from './harness/watched.js';

/** After which everything is ended. */
const LIMIT_MS = 20 * 60_000;

/**
 * @typedef {object} Options
 * @property {'ledgerd' | 'anvil'} target
 * @property {string} url of a node that already serves; empty to start one
 * @property {readonly string[]} rows
 * @property {number} lanes rows at the same time
 * @property {boolean} json
 */

/**
 * Runs the suite.
 *
 * @param {Options} options
 * @returns {Promise<number>} the exit status: 1 when something failed
 */
export async function runSuite({ target: name, url, rows, lanes, json }) {
  const started = performance.now();
  const unbound = boundSuite(LIMIT_MS);
  const scratch = mkdtempSync(join(tmpdir(), 'ledgerd-tools-'));
  const opened = await openTarget(name, url);
  const { target, judge } = await watchTarget(opened);
  /** @type {import('./harness/checks.js').Finding[]} */
  let findings = [];
  try {
    const tell = json ? () => undefined : tellOf;
    findings = [
      ...(await runRows(rows, lanes, target, scratch, tell)),
      ...(await judge(new Checks('schemas', 'Execution APIs', target.name, tell))),
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
 * @param {number} lanes
 * @param {import('./harness/targets.js').Target} target
 * @param {string} scratch
 * @param {(finding: import('./harness/checks.js').Finding) => void} tell
 */
async function runRows(names, lanes, target, scratch, tell) {
  const waiting = [...names];
  /** @type {Map<string, Checks>} */
  const done = new Map();
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { row } = await import(`./rows/${name}.js`);
      const checks = new Checks(name, toolOf(row), target.name, tell);
      done.set(name, checks);
      const folder = mkdtempSync(join(scratch, `${name}-`));
      await checks.runRow(() => row.run(checks, target, folder));
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return names.flatMap((name) => done.get(name)?.findings ?? []);
}
