/**
 * Injects a failing write, sync or allocation below a store, a node and a forked node, one after the other: `node
 * scripts/faults.js --seconds 80 --every 7 --seed 1`. `--every N` tries every Nth fault, for about `--seconds`;
 * `--every 1` tries all. Exits with status 1 if a process ends without a reason, or an acknowledged change is missing.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/faults/faults.test.ts', 'FAULTS', { seconds: 80, every: 7 });
