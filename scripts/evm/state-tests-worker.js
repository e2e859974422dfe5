/** A thread that runs the cases of files, one file at a time. */

import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { HARDFORKS } from '../../dist/evm/index.js';
import { featuresOf } from './not-applicable.js';
import { runCase, traceCase } from './run-case.js';

/** Alternative names of hard forks in the files. */
const OTHER_NAMES = { merge: 'paris' };

/** Maximum failures of one file that are reported in full. */
const TRACED_FAILURES = 3;

parentPort?.on('message', async (path) => {
  try {
    parentPort?.postMessage({ path, cases: await runFile(path) });
  } catch (error) {
    parentPort?.postMessage({ path, cases: [], problem: `the file cannot be read: ${error}` });
  }
});

/** Runs the cases of a file. Throws if it is not a test file. */
async function runFile(path) {
  const cases = [];
  const tests = JSON.parse(await readFile(path, 'utf8'));
  for (const [name, test] of Object.entries(tests)) {
    const features = featuresOf();
    for (const [fork, posts] of Object.entries(test.post)) {
      const lower = fork.toLowerCase();
      const hardfork = OTHER_NAMES[lower] ?? lower;
      if (!HARDFORKS.includes(hardfork)) continue;
      for (const post of posts) {
        const differences = await attempt(() => runCase(test, hardfork, post, workerData.traced));
        const failures = cases.filter((other) => other.differences.length > 0);
        const isTraced = differences.length > 0 && failures.length < TRACED_FAILURES;
        const trace = isTraced ? await attempt(() => traceCase(test, hardfork, post)) : [];
        cases.push({ name, features, hardfork, indexes: post.indexes, differences, trace });
      }
    }
  }
  return cases;
}

/** Runs a case; an exception is a difference as well. */
async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    return [String(error.stack ?? error)];
  }
}
