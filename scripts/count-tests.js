/** Prints `N passed, N failed`, counted from the JSON reports of vitest that are named. */

import { readFileSync } from 'node:fs';

let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  // A file that does not even load holds no test that could fail, and counts as one failure.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  passed += report.numPassedTests;
  failed += report.numFailedTests + brokenFiles.length;
}

console.log(`${passed} passed, ${failed} failed`);
