/**
 * Runs three nodes on three servers of a log, each pair on a disk of its own, and cuts the power of all disks at one
 * moment, again and again: `node scripts/power-cuts.js --cuts 10 --seed 1`. It takes root, a C compiler and
 * `NATS_SERVER`. Ends with status 1 when anything is lost or doubled that was answered. `--synced 0` has the log's
 * servers confirm what they have not synced, which is found out.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/cluster/power-cuts.test.ts', 'POWER', { cuts: 10, synced: 1 });
