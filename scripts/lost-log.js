/**
 * Has three nodes lose the log that they share, with a chain of so many blocks, and makes it again out of the highest
 * store: `node scripts/lost-log.js --blocks 100000 --seed 1`. Ends with status 1 when anything is lost or doubled that
 * was answered. It takes `NATS_SERVER`.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/cluster/lost-log.test.ts', 'LOST', { blocks: 100_000 });
