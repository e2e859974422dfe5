/**
 * Kills a node of its own again and again under load: `node scripts/crash.js --kills 200 --seed 1`.
 * Ends with status 1 when anything is lost that a client was told, and prints what is needed to see it again.
 * The harness itself is TypeScript beside the tests, which Vitest runs from the sources.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/crash/crash.test.ts', 'CRASH', { kills: 200 });
