/**
 * Makes one write, sync or allocation after the other fail, below a store and below a node:
 * `node scripts/faults.js --seconds 80 --every 7 --seed 1`. Every so manieth of them is tried, for about so many
 * seconds; `--every 1` with enough of them tries all. Ends with status 1 when a process ends without saying why,
 * or when anything is missing afterwards that was answered.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/faults/faults.test.ts', 'FAULTS', { seconds: 80, every: 7 });
