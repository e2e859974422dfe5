/**
 * Takes snapshots of a chain and goes back to them, at random: `node scripts/snapshots.js --sequences 2000 --seed 1`.
 * Ends with status 1 at the first table that is not what it was, and prints what is needed to see it again. With
 * `--workers 2` a node with so many is read meanwhile, and no answer may know of what was taken back.
 * The campaign itself is TypeScript beside the tests, which Vitest runs from the sources.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/snapshots/long.test.ts', 'SNAPSHOTS', { sequences: 2_000, workers: 0 });
