/**
 * Runs three nodes on three servers of a log, under load, and kills, stops and cuts off whatever there is:
 * `node scripts/cluster.js --seconds 600 --seed 1`. `NATS_SERVER` names the program nats-server, else it is looked for
 * on the path. Ends with status 1 when the nodes' chains differ, or anything is lost or doubled that was answered.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('test/cluster/cluster.test.ts', 'CLUSTER', { seconds: 600 });
