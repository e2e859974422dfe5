/**
 * Runs three nodes on three log servers, each pair on a separate disk, and repeatedly cuts the power of all disks at
 * one moment: `node scripts/power-cuts.js --cuts 10 --seed 1`. Requires root, a C compiler and `NATS_SERVER`. Exits
 * with status 1 if an acknowledged transaction is lost or duplicated. With `--synced 0` the log servers confirm
 * unsynced writes, which must be detected.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/cluster/power-cuts.test.ts', 'POWER', { cuts: 10, synced: 1 });
