/**
 * Sends hostile requests to a node of its own for a while: `node scripts/fuzz-rpc.js --seconds 60 --seed 1`.
 * Ends with status 1 at the first response that must not be, and prints what is needed to see it again.
 * The fuzzer itself is TypeScript beside the tests, which Vitest runs from the sources.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/fuzz/long.test.ts', 'FUZZ', { seconds: 60 });
