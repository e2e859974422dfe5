/**
 * Lets native operations and Ethereum's transactions follow each other, at random, on two nodes of one chain:
 * `node scripts/worlds.js --sequences 2000 --seed 1`. Ends with status 1 at the first thing that does not hold, and
 * prints what is needed to see it again. The campaign itself is TypeScript beside the tests, which Vitest runs from the
 * sources.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/worlds/long.test.ts', 'WORLDS', { sequences: 2_000 });
