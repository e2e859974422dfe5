/**
 * Counts what a request runs on a test node, warm, from the socket to the response: files of production code (listed
 * with `--list`), lines of these files, and calls of functions, those of Node included: `npm run request-files`. The
 * built program has one file for each source. Ends with status 1 where a request exceeds one of its bounds, or where
 * the section of docs/tour.md or docs/transaction.md about it lacks one of its files, or names one that does not exist.
 */

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { WebSocket } from 'ws';
import { startTestNode } from '../dist/library/index.js';
import { call, requestOf } from '../test/rpc-client.js';

const FOLDER = new URL('../dist/', import.meta.url).href;
const SOURCES = new URL('../src/', import.meta.url);
const DOCUMENTS = new URL('../docs/', import.meta.url);
/** Init code that emits a log with the topic 0xa1. */
const LOG_CODE = '0x60a15f5fa100';
const WARM_UP = 10;
/** Requests that count: a file that did not run for each of them belongs to a timer, or to what happens sometimes. */
const COUNTED = 12;

/**
 * A request; with `subscription` a subscription over a WebSocket, a block, and its notification.
 *
 * @typedef {{ readonly url: string, readonly method: string, readonly params: readonly unknown[],
 *   readonly subscription?: string | undefined }} Request
 */

if (isMainThread) await countAll();
else sendRequests();

/** Sends the requests of the thread that counts, in which only the node runs. */
function sendRequests() {
  parentPort?.on('message', async (/** @type {Request | undefined} */ request) => {
    if (request !== undefined) {
      const { url, method, params, subscription } = request;
      const result = subscription ? await notified(url, subscription) : await call(url, method, ...params);
      if (result === null) throw new Error(`${request.method} has no result`);
    }
    parentPort?.postMessage('done');
  });
}

/**
 * Subscribes, lets the node make a block, and returns the notification of it.
 *
 * @param {string} url
 * @param {string} kind
 */
async function notified(url, kind) {
  const socket = new WebSocket(url.replace('http', 'ws'));
  await once(socket, 'open');
  const next = async () => JSON.parse(String((await once(socket, 'message'))[0]));
  socket.send(requestOf('eth_subscribe', kind));
  await next();
  const [{ params }] = await Promise.all([next(), call(url, 'evm_mine')]);
  socket.close();
  await once(socket, 'close');
  return params.result;
}

async function countAll() {
  const { values: options } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
  // Polls for a further request are no part of one.
  const node = await startTestNode({ ethereum: true, settings: { 'busy-poll': 0 } });
  const client = new Worker(new URL(import.meta.url));
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  for (const { most, page, ...described } of requestsTo(node, (request) => exchange(client, request))) {
    const request = async () => ({ ...described, params: await described.params() });
    const title = described.subscription ?? described.method;
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
    console.log(`${title} at ${new URL(described.url).pathname}: ${texts.join(', ')}`);
    if (options.list) console.log(files.map((file) => `  ${file}`).join('\n'));
    if (Object.entries(counts).some(([name, count]) => count > most[name])) process.exitCode = 1;
    if (page !== undefined) checkPage(page, title, files);
  }
  session.disconnect();
  await client.terminate();
  await node.stop();
}

/**
 * Reports files of a request that the page about it lacks, and files that the page names and that do not exist. In a
 * page about several, the section with the title of the request has its files, and the first one those of all.
 *
 * @param {string} page
 * @param {string} title
 * @param {readonly string[]} files
 */
function checkPage(page, title, files) {
  const [intro = '', first = '', ...others] = documentOf(page).split(/^## /m);
  const own = others.find((section) => section.startsWith(`\`${title}\``));
  const text = own === undefined ? [intro, first, ...others].join('') : first + own;
  const listed = pathsIn(text);
  const linked = Array.from(text.matchAll(/\]\((\w+\.md)\)/g), ([, other = '']) =>
    pathsIn(documentOf(other)),
  );
  const ran = files.map((file) => file.replace(/\.js$/, '.ts'));
  const problems = [
    ...ran.filter((file) => ![listed, ...linked].flat().includes(file)).map((file) => `lacks ${file}`),
    ...listed.filter((file) => !existsSync(new URL(file, SOURCES))).map((file) => `names ${file}`),
  ];
  for (const problem of problems) console.log(`docs/${page} ${problem} (${title})`);
  if (problems.length > 0) process.exitCode = 1;
}

/** @param {string} name */
function documentOf(name) {
  return readFileSync(new URL(name, DOCUMENTS), 'utf8');
}

/** Returns the paths of sources in a text, without those that begin with the folder. @param {string} text */
function pathsIn(text) {
  const named = Array.from(text.matchAll(/`([\w/-]+\.ts)`/g), ([, path]) => path ?? '');
  return named.filter((path) => !path.startsWith('src/'));
}

/**
 * Returns the requests that are counted, with their bounds. Parameters are made before a request, not as a part of it.
 *
 * @param {import('../dist/library/index.js').TestNode} node
 * @param {(request: Request) => Promise<unknown>} send
 */
function requestsTo({ url, ethereumUrl, accounts: [account], ethereumAccounts: [holder, other] }, send) {
  if (!ethereumUrl || !holder || !account || !other) throw new Error('no chain');
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
  const plain = async () => [];
  /** @type {Promise<unknown> | undefined} */
  let logging;
  const logQuery = async () => {
    logging ??= send({
      url: ethereumUrl,
      method: 'eth_sendTransaction',
      params: [{ from: other.address, data: LOG_CODE }],
    });
    await logging;
    return [{ fromBlock: '0x0', topics: [`0x${'a1'.padStart(64, '0')}`] }];
  };
  return [
    {
      url,
      method: 'eth_getBalance',
      page: 'tour.md',
      most: { files: 23, lines: 5_200, calls: 280 },
      params: async () => [account.address, 'latest'],
    },
    {
      url: ethereumUrl,
      method: 'eth_call',
      page: 'tour.md',
      most: { files: 34, lines: 8_000, calls: 380 },
      params: async () => [{ to: signer.address }, 'latest'],
    },
    {
      url: ethereumUrl,
      method: 'eth_sendRawTransaction',
      page: 'transaction.md',
      most: { files: 92, lines: 18_400, calls: 1_700 },
      params: async () => [await transfer()],
    },
    {
      url: ethereumUrl,
      method: 'eth_getTransactionReceipt',
      most: { files: 51, lines: 9_900, calls: 420 },
      params: async () => [await receipt()],
    },
    {
      url: ethereumUrl,
      method: 'eth_getLogs',
      page: 'tour.md',
      most: { files: 47, lines: 9_800, calls: 560 },
      params: logQuery,
    },
    {
      url: ethereumUrl,
      method: 'evm_mine',
      subscription: 'newHeads',
      page: 'tour.md',
      most: { files: 110, lines: 20_200, calls: 3_900 },
      params: plain,
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
