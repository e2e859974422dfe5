/**
 * Takes and reverts to random snapshots of a chain: `node scripts/snapshots.js --sequences 2000 --seed 1`. Exits with
 * status 1 at the first table that differs from the snapshot, and prints how to reproduce it. With `--workers 2`
 * clients read from a node with workers meanwhile, and no response may contain reverted data. The campaign is
 * TypeScript beside the tests, run by Vitest.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/snapshots/long.test.ts', 'SNAPSHOTS', { sequences: 2_000, workers: 0 });
