/**
 * Sends hostile requests to a node: `node scripts/fuzz-rpc.js --seconds 60 --seed 1`. Exits with status 1 at the first
 * wrong response, and prints how to reproduce it. The fuzzer is TypeScript beside the tests, run by Vitest.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/fuzz/long.test.ts', 'FUZZ', { seconds: 60 });
