/**
 * Counts what a request runs on a test node, warm, from the socket to the response: files of production code (listed
 * with `--list`), lines of these files, and calls of functions, those of Node included: `npm run request-files`. The
 * built program has one file for each source. Ends with status 1 where a request exceeds one of its bounds, or where
 * docs/transaction.md lacks a file of a sent transaction, or names one that does not exist.
 */

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startTestNode } from '../dist/library/index.js';
import { call } from '../test/rpc-client.js';

const FOLDER = new URL('../dist/', import.meta.url).href;
const SOURCES = new URL('../src/', import.meta.url);
/** The page with the files that a sent transaction runs. */
const WAY = new URL('../docs/transaction.md', import.meta.url);
const WARM_UP = 10;
/** Requests that count: a file that did not run for each of them belongs to a timer, or to what happens sometimes. */
const COUNTED = 12;

/** @typedef {{ readonly url: string, readonly method: string, readonly params: readonly unknown[] }} Request */

if (isMainThread) await countAll();
else sendRequests();

/** Sends the requests of the thread that counts, in which only the node runs. */
function sendRequests() {
  parentPort?.on('message', async (/** @type {Request | undefined} */ request) => {
    if (request !== undefined) {
      const result = await call(request.url, request.method, ...request.params);
      if (result === null) throw new Error(`${request.method} has no result`);
    }
    parentPort?.postMessage('done');
  });
}

async function countAll() {
  const { values: options } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
  // Polls for a further request are no part of one.
  const node = await startTestNode({ ethereum: true, settings: { 'busy-poll': 0 } });
  const client = new Worker(new URL(import.meta.url));
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  for (const { most, ...described } of requestsTo(node, (request) => exchange(client, request))) {
    const request = async () => ({ ...described, params: await described.params() });
    for (let i = 0; i < WARM_UP; i += 1) await runOf(session, client, await request());
    const runs = [];
    for (let i = 0; i < COUNTED; i += 1) {
      const { files, calls } = await runOf(session, client, await request());
      const { calls: others } = await runOf(session, client, undefined);
      runs.push({ files, calls: calls - others });
    }
    const files = (runs[0]?.files ?? []).filter((file) => runs.every((other) => other.files.includes(file)));
    const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
    // Timers only add calls.
    const calls = Math.min(...runs.map((run) => run.calls));
    const counts = { files: files.length, lines, calls };
    const texts = Object.entries(counts).map(([name, count]) => `${count} ${name} (at most ${most[name]})`);
    console.log(`${described.method} at ${new URL(described.url).pathname}: ${texts.join(', ')}`);
    if (options.list) console.log(files.map((file) => `  ${file}`).join('\n'));
    if (Object.entries(counts).some(([name, count]) => count > most[name])) process.exitCode = 1;
    if (described.method === 'eth_sendRawTransaction') checkWay(files);
  }
  session.disconnect();
  await client.terminate();
  await node.stop();
}

/** Reports files of a sent transaction that the page about it lacks, and files that it names and that do not exist. */
function checkWay(/** @type {readonly string[]} */ files) {
  const ran = files.map((file) => file.replace(/\.js$/, '.ts'));
  const named = Array.from(readFileSync(WAY, 'utf8').matchAll(/`([\w/-]+\.ts)`/g), ([, path]) => path);
  const listed = named.filter((path) => !path?.startsWith('src/'));
  const problems = [
    ...ran.filter((file) => !listed.includes(file)).map((file) => `lacks ${file}`),
    ...listed.filter((file) => !existsSync(new URL(`${file}`, SOURCES))).map((file) => `names ${file}`),
  ];
  for (const problem of problems) console.log(`docs/transaction.md ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

/**
 * Returns the requests that are counted, with their bounds. Parameters are made before a request, not as a part of it.
 *
 * @param {import('../dist/library/index.js').TestNode} node
 * @param {(request: Request) => Promise<unknown>} send
 */
function requestsTo({ url, ethereumUrl, accounts: [account], ethereumAccounts: [holder] }, send) {
  if (ethereumUrl === undefined || holder === undefined || account === undefined) throw new Error('no chain');
  const signer = privateKeyToAccount(holder.privateKey);
  let nonce = 0;
  const transfer = async () => {
    const fees = { gas: 21_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 0n };
    const fields = { type: 'eip1559', chainId: 31_337, nonce, to: signer.address, value: 1n, ...fees };
    nonce += 1;
    return signer.signTransaction(/** @type {any} */ (fields));
  };
  const receipt = async () => {
    const raw = await transfer();
    await send({ url: ethereumUrl, method: 'eth_sendRawTransaction', params: [raw] });
    return keccak256(raw);
  };
  return [
    {
      url,
      method: 'eth_getBalance',
      most: { files: 27, lines: 6_100, calls: 300 },
      params: async () => [account.address, 'latest'],
    },
    {
      url: ethereumUrl,
      method: 'eth_call',
      most: { files: 38, lines: 8_700, calls: 460 },
      params: async () => [{ to: signer.address }, 'latest'],
    },
    {
      url: ethereumUrl,
      method: 'eth_sendRawTransaction',
      most: { files: 93, lines: 18_700, calls: 1_750 },
      params: async () => [await transfer()],
    },
    {
      url: ethereumUrl,
      method: 'eth_getTransactionReceipt',
      most: { files: 56, lines: 10_800, calls: 480 },
      params: async () => [await receipt()],
    },
  ];
}

/**
 * Returns the production files in which a function ran for a request, and the number of calls of functions, also in
 * those of Node.
 *
 * @param {Session} session
 * @param {Worker} client
 * @param {Request | undefined} request undefined: the calls that belong to the measurement itself
 * @returns {Promise<{ readonly files: string[], readonly calls: number }>}
 */
async function runOf(session, client, request) {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await exchange(client, request);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const files = [];
  let calls = 0;
  for (const { url, functions } of result) {
    let own = 0;
    for (const { ranges } of functions) own += ranges[0]?.count ?? 0;
    calls += own;
    // The warm-up of the engine runs in the background.
    if (own > 0 && url.startsWith(FOLDER) && !url.endsWith('/evm/engine/warm-up.js')) files.push(url);
  }
  return { files: files.map((url) => url.slice(FOLDER.length)).sort(), calls };
}

/**
 * Lets the client send a request, and waits until it has the response.
 *
 * @param {Worker} client
 * @param {Request | undefined} request undefined: it sends none
 */
async function exchange(client, request) {
  client.postMessage(request);
  await once(client, 'message');
}

/**
 * Returns the number of lines of the source of a built file.
 *
 * @param {string} file
 */
function linesOf(file) {
  return readFileSync(new URL(file.replace(/js$/, 'ts'), SOURCES), 'utf8').split('\n').length - 1;
}
