/** Prints `N passed, N failed`, counted from the JSON report of vitest that the first argument names. */

import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// A file that does not even load holds no test that could fail, and counts as one failure.
const brokenFiles = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
);

console.log(`${report.numPassedTests} passed, ${report.numFailedTests + brokenFiles.length} failed`);
