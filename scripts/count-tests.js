/** Prints each failed test, then `N passed, N failed`, from the JSON reports of vitest that are named. */

import { readFileSync } from 'node:fs';

let passed = 0;
const failures = [];
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed += report.numPassedTests;
  for (const file of report.testResults) {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of failed) {
      failures.push(`${file.name}: ${fullName}: ${failureMessages.join(' ').slice(0, 2_000)}`);
    }
    // A file that does not even load holds no test that could fail, and counts as one failure.
    if (file.status === 'failed' && failed.length === 0) {
      failures.push(`${file.name}: ${file.message.slice(0, 2_000)}`);
    }
  }
}

for (const failure of failures) {
  console.log(`FAILED ${failure}`);
}
console.log(`${passed} passed, ${failures.length} failed`);
