/**
 * The process of a faithful client that makes a call of each kind at a steady pace, whether or not the answers before
 * have come: `node prober.js <port> <kind> <kind> …`. Each message from its parent ends a phase and is answered with
 * what the answers of that phase took, by kind.
 */

import { Agent, request } from 'node:http';
import { ask, callOf } from './client.js';

/** How long an answer is waited for. */
const PATIENCE_MS = 20_000;
/** How often is looked whether a phase has all its answers. */
const CHECK_MS = 25;
/** Adds two numbers and stops: a call that every node answers at once. */
const SHORT_PROGRAM = '0x600160010100';

/** What is asked, and how many milliseconds lie between two of a kind. */
const KINDS = {
  eth_blockNumber: { everyMs: 25, body: async () => callOf('eth_blockNumber') },
  eth_call: { everyMs: 200, body: async () => callOf('eth_call', { data: SHORT_PROGRAM }) },
  eth_sendTransaction: { everyMs: 500, body: transferBody },
};

const [port, ...kinds] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const newPhase = () => ({ results: kinds.map(() => ({ times: [], failures: 0 })), waiting: 0 });
let phase = newPhase();

for (const [index, kind] of kinds.entries()) {
  const { everyMs, body } = KINDS[kind];
  const text = await body();
  setInterval(() => probe(index, text), everyMs);
}
process.on('message', endPhase);
process.once('disconnect', () => process.exit());

async function transferBody() {
  const [from, to] = await ask(port, 'eth_accounts');
  return callOf('eth_sendTransaction', { from, to, value: '0x1', gas: '0x14' });
}

/** Asks once; an answer counts for the phase in which it was asked for. */
function probe(index, body) {
  const mine = phase;
  const result = mine.results[index];
  const began = performance.now();
  mine.waiting += 1;
  post(body, (isAnswered) => {
    mine.waiting -= 1;
    if (isAnswered) result.times.push(performance.now() - began);
    else result.failures += 1;
  });
}

/** A kept connection that the node has closed meanwhile is no failure: clients then ask again. */
function post(body, done, isRetry = false) {
  const options = { agent, port, host: '127.0.0.1', method: 'POST', timeout: PATIENCE_MS };
  const asking = request(options, async (response) => {
    const text = (await response.toArray()).join('');
    done(response.statusCode === 200 && text.includes('"result"'));
  });
  asking.once('timeout', () => asking.destroy());
  asking.once('error', () => {
    if (asking.reusedSocket && !isRetry) post(body, done, true);
    else done(false);
  });
  asking.end(body);
}

/** Waits for what the phase still has to get, and tells of it. */
async function endPhase() {
  const ended = phase;
  phase = newPhase();
  while (ended.waiting > 0) await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  process.send(Object.fromEntries(kinds.map((kind, index) => [kind, ended.results[index]])));
}
