/**
 * Deletes the shared log of three nodes with a chain of `--blocks`, and recreates it from the highest store: `node
 * scripts/lost-log.js --blocks 100000 --seed 1`. Exits with status 1 if an acknowledged transaction is lost or
 * duplicated. Requires `NATS_SERVER`.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/cluster/lost-log.test.ts', 'LOST', { blocks: 100_000 });
