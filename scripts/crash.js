/**
 * Kills a node repeatedly under load: `node scripts/crash.js --kills 200 --seed 1`. Exits with status 1 if an
 * acknowledged change is lost, and prints how to reproduce it. The harness is TypeScript beside the tests, run by
 * Vitest.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/crash/crash.test.ts', 'CRASH', { kills: 200 });
