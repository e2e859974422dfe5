/**
 * Runs official state tests of the EVM with our engine: `npm run test:evm` for those beside the checkout,
 * `npm run test:evm -- PATH` another folder or file of the same format, with `--traced` by the traced build. Its
 * last line is `N passed, N failed`; its status is 1 when one failed.
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NotApplicable } from './not-applicable.js';
import { Progress } from './progress.js';
import { runFiles } from './run-files.js';
import { testFiles, unpackOnce } from './test-files.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of the tests, beside the checkout since they are large. */
const ARCHIVES = join(ROOT, '..', 'shared', 'evm');
/** Names of the archives: most tests, and those of transactions with blobs or authorizations. */
const SETS = ['state-tests', 'typed-transactions'];
const UNPACKED = join(ROOT, 'build', 'evm-tests');
const NOT_APPLICABLE = join(ROOT, 'test', 'evm', 'not-applicable.json');

/** Maximum failed cases that are printed in full. */
const PRINTED_FAILURES = 20;
/** Maximum printed differences of a case. */
const PRINTED_DIFFERENCES = 6;

const {
  values: { traced },
  positionals: [path],
} = parseArgs({ allowPositionals: true, options: { traced: { type: 'boolean', default: false } } });
const archiveOf = (set) => join(ARCHIVES, `${set}.tar.xz`);
const missing = SETS.map(archiveOf).find((archive) => !existsSync(archive));
if (path === undefined && missing !== undefined) {
  console.log(`skipped: the official state tests are not here (${missing})`);
  console.log('0 passed, 0 failed');
} else if (path !== undefined && !existsSync(path)) {
  console.error(`there is no folder or file ${path}`);
  process.exitCode = 2;
} else {
  if (path === undefined) for (const set of SETS) await unpackOnce(archiveOf(set), join(UNPACKED, set));
  await main(path === undefined ? UNPACKED : resolve(path), path === undefined);
}

async function main(root, isWhole) {
  const files = await testFiles(root);
  const notApplicable = new NotApplicable(NOT_APPLICABLE);
  const progress = new Progress(files.length);
  const failures = [];
  await runFiles(files, traced, ({ path: file, cases, problem }) => {
    if (problem !== undefined) failures.push({ file, problem });
    for (const testCase of cases) {
      const isListed = notApplicable.take(file, testCase);
      const hasPassed = testCase.differences.length === 0;
      if (!hasPassed && !isListed) failures.push({ file, ...testCase });
      progress.count(testCase.hardfork, hasPassed, isListed);
    }
    progress.fileDone();
  });
  report(failures, progress, notApplicable.notNeeded(isWhole));
}

function report(failures, progress, notNeeded) {
  progress.end();
  for (const failure of failures.slice(0, PRINTED_FAILURES)) console.log(describe(failure));
  if (failures.length > PRINTED_FAILURES) console.log(`and ${failures.length - PRINTED_FAILURES} more`);
  for (const entry of notNeeded) {
    console.log(`test/evm/not-applicable.json has an entry that is not needed: ${JSON.stringify(entry)}`);
  }
  console.log(progress.table());
  const failed = failures.length + notNeeded.length;
  console.log(`${progress.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && progress.passed > 0 ? 0 : 1;
}

function describe({ file, problem, name, hardfork, indexes, differences, trace }) {
  if (problem !== undefined) return `FAILED ${file}\n    ${problem}`;
  const head = `FAILED ${hardfork} ${file}\n  ${name} ${JSON.stringify(indexes)}`;
  const shown = differences.slice(0, PRINTED_DIFFERENCES);
  const more = differences.length - shown.length;
  const lines = [...shown, ...(more > 0 ? [`and ${more} more differences`] : []), ...trace];
  return [head, ...lines.map((line) => `    ${line}`)].join('\n');
}
