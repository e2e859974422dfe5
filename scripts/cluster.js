/**
 * Runs three nodes on three log servers under load, and kills, stops and partitions them: `node scripts/cluster.js
 * --seconds 600 --seed 1`. `NATS_SERVER` names the program nats-server, else it is taken from the path. Exits with
 * status 1 if chains differ, or an acknowledged transaction is lost or duplicated.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/cluster/cluster.test.ts', 'CLUSTER', { seconds: 600 });
