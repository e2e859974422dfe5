/**
 * The process of a client that asks for the number of the newest block, some forty times a second, whether or not
 * the answers before have come: `node prober.js <port>`. Each message from its parent ends a phase and is answered
 * with what the answers of that phase took.
 */

import { Agent, request } from 'node:http';
import { callOf } from './client.js';

const INTERVAL_MS = 25;
/** How long an answer is waited for. */
const PATIENCE_MS = 20_000;

const port = Number(process.argv[2]);
const body = callOf('eth_blockNumber');
const agent = new Agent({ keepAlive: true });
let phase = { times: [], failures: 0, waiting: 0 };

setInterval(probe, INTERVAL_MS);
process.on('message', endPhase);
process.once('disconnect', () => process.exit());

/** Asks once; an answer counts for the phase in which it was asked for. */
function probe() {
  const mine = phase;
  const began = performance.now();
  mine.waiting += 1;
  ask((isAnswered) => {
    mine.waiting -= 1;
    if (isAnswered) mine.times.push(performance.now() - began);
    else mine.failures += 1;
  });
}

/** A kept connection that the node has closed meanwhile is no failure: clients then ask again. */
function ask(done, isRetry = false) {
  const options = { agent, port, host: '127.0.0.1', method: 'POST', timeout: PATIENCE_MS };
  const asking = request(options, (response) => {
    response.resume();
    response.once('end', () => done(response.statusCode === 200));
  });
  asking.once('timeout', () => asking.destroy());
  asking.once('error', () => {
    if (asking.reusedSocket && !isRetry) ask(done, true);
    else done(false);
  });
  asking.end(body);
}

/** Waits for what the phase still has to get, and tells of it. */
async function endPhase() {
  const ended = phase;
  phase = { times: [], failures: 0, waiting: 0 };
  while (ended.waiting > 0) await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  process.send({ times: ended.times, failures: ended.failures });
}
