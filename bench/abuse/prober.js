/**
 * The process of a faithful client that makes a call of each kind at a steady pace, whether or not the responses before
 * have come: `node prober.js <url> <kind> <kind> …`. Each message from its parent ends a phase and is replied to with
 * what the responses of that phase took, by kind.
 */

import { Agent, request } from 'node:http';
import { call, requestOf } from '../../test/rpc-client.js';

/** Time-out of a response. */
const PATIENCE_MS = 20_000;
/** Interval of checking for the last response of a phase. */
const CHECK_MS = 25;
/** Adds two numbers and stops: a call that takes no node any time. */
const SHORT_PROGRAM = '0x600160010100';

/**
 * The body and the interval of each kind, and if each request opens a connection.
 *
 * @type {Readonly<Record<string, { everyMs: number, body: () => Promise<string>, isNew?: boolean }>>}
 */
const KINDS = {
  eth_blockNumber: { everyMs: 25, body: async () => requestOf('eth_blockNumber') },
  'frequent eth_blockNumber': { everyMs: 5, body: async () => requestOf('eth_blockNumber') },
  'frequent eth_call': { everyMs: 5, body: async () => requestOf('eth_call', { data: SHORT_PROGRAM }) },
  eth_call: { everyMs: 200, body: async () => requestOf('eth_call', { data: SHORT_PROGRAM }) },
  eth_sendTransaction: { everyMs: 500, body: transferBody },
  'new connection': { everyMs: 100, body: async () => requestOf('eth_blockNumber'), isNew: true },
};

/**
 * Milliseconds of responses, how often was none, and by how many milliseconds this process asked later than it was to:
 * as late may be what it sees of a response, since others want its processor.
 *
 * @typedef {{ times: number[], failures: number, late: number[] }} Result
 */

const [url = '', ...kinds] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const newConnections = new Agent({ keepAlive: false });
let phase = newPhase();

for (const kind of kinds) {
  const known = KINDS[kind];
  if (known === undefined) throw new Error(`there is no kind ${kind}`);
  const { everyMs, body, isNew } = known;
  const text = await body();
  let due = performance.now() + everyMs;
  setInterval(() => {
    const now = performance.now();
    phase.results[kind]?.late.push(now - due);
    due = now + everyMs;
    probe(kind, text, isNew === true ? newConnections : agent);
  }, everyMs);
}
process.on('message', endPhase);
process.once('disconnect', () => process.exit());

function newPhase() {
  /** @type {Record<string, Result>} */
  const results = Object.fromEntries(kinds.map((kind) => [kind, { times: [], failures: 0, late: [] }]));
  return { results, waiting: 0 };
}

async function transferBody() {
  const [from, to] = await call(url, 'eth_accounts');
  return requestOf('eth_sendTransaction', { from, to, value: '0x1', gas: '0x14' });
}

/**
 * Sends one request; its response counts for the phase of the request.
 *
 * @param {string} kind
 * @param {string} body
 * @param {Agent} agent
 */
function probe(kind, body, agent) {
  const mine = phase;
  const result = mine.results[kind];
  if (result === undefined) return;
  const began = performance.now();
  mine.waiting += 1;
  post(body, agent, (isServed) => {
    mine.waiting -= 1;
    if (isServed) result.times.push(performance.now() - began);
    else result.failures += 1;
  });
}

/**
 * Sends a request, and repeats it if the node has closed an idle connection, as clients do.
 *
 * @param {string} body
 * @param {Agent} agent
 * @param {(isServed: boolean) => void} done
 */
function post(body, agent, done, isRetry = false) {
  const headers = { 'content-type': 'application/json' };
  const asking = request(url, { agent, headers, method: 'POST', timeout: PATIENCE_MS }, async (response) => {
    const text = (await response.toArray()).join('');
    done(response.statusCode === 200 && text.includes('"result"'));
  });
  asking.once('timeout', () => asking.destroy());
  asking.once('error', () => {
    if (asking.reusedSocket && !isRetry) post(body, agent, done, true);
    else done(false);
  });
  asking.end(body);
}

/** Waits for the outstanding responses of the phase, and reports it. */
async function endPhase() {
  const ended = phase;
  phase = newPhase();
  while (ended.waiting > 0) await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  process.send?.(ended.results);
}
