/** Reports the findings of the suite. */

/** @typedef {import('./checks.js').Finding} Finding */

/** Greatest number of printed lines of a failed tool's output. */
const LINES = 60;

const SIGNS = { pass: 'pass', fail: 'FAIL', excepted: 'differs', skipped: 'skipped' };

/**
 * Prints a finished check.
 *
 * @param {Finding} finding
 */
export function printFinding({ row, what, outcome, ms }) {
  process.stderr.write(
    `${SIGNS[outcome].padEnd(8)}${row.padEnd(15)}${what} (${(ms / 1_000).toFixed(1)} s)\n`,
  );
}

/**
 * Prints a table, and the output of failed tools.
 *
 * @param {import('./targets.js').Target} target
 * @param {readonly Finding[]} findings
 * @param {number} seconds
 */
export function printTable(target, findings, seconds) {
  const lines = [`\n${target.name} (${target.version}) at ${target.url}\n`];
  const widths = [8, 15, Math.max(0, ...findings.map(({ what }) => what.length)) + 2];
  for (const { row, tool, what, outcome, detail = '' } of findings) {
    const cells = [SIGNS[outcome], row, what].map((cell, index) => cell.padEnd(widths[index]));
    lines.push(`${cells.join('')}${outcome === 'pass' || outcome === 'fail' ? tool : detail}`);
  }
  const printed = new Set();
  for (const { row, tool, what, outcome, detail = '' } of findings) {
    if (outcome !== 'fail') continue;
    const own = detail.split('\n').filter((line) => !/^ +at .*(harness|suite|run\.js|node:)/.test(line));
    const isRepeated = printed.has(detail);
    printed.add(detail);
    lines.push(`\n--- ${row}: ${what} (${tool})`, ...(isRepeated ? ['as before'] : own.slice(0, LINES)));
  }
  const count = (/** @type {Finding['outcome']} */ kind) =>
    findings.filter(({ outcome }) => outcome === kind).length;
  const counts = Object.keys(SIGNS).map(
    (kind) => `${count(/** @type {Finding['outcome']} */ (kind))} ${kind}`,
  );
  lines.push(`\n${counts.join(', ')} in ${seconds.toFixed(0)} s`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/**
 * Prints the findings as JSON.
 *
 * @param {import('./targets.js').Target} target
 * @param {readonly Finding[]} findings
 * @param {number} seconds
 */
export function printJson(target, findings, seconds) {
  const { name, version, url } = target;
  process.stdout.write(`${JSON.stringify({ target: name, version, url, seconds, findings }, null, 2)}\n`);
}
