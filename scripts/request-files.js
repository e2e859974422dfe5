/**
 * Counts the files of production code that run for one request, warm, from the socket to the response, and lists them
 * with `--list`: `npm run request-files`. The built program has one file for each source. Ends with status 1 where a
 * request runs through more files than its bound.
 */

import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { startTestNode } from '../dist/library/index.js';
import { call } from '../test/rpc-client.js';

const FOLDER = new URL('../dist/', import.meta.url).href;
const WARM_UP = 10;
/** Requests that count: a file that did not run for each of them belongs to a timer, or to what happens sometimes. */
const COUNTED = 8;

const { values: options } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
const node = await startTestNode({ ethereum: true });
const [holder] = node.ethereumAccounts;
const [account] = node.accounts;
if (node.ethereumUrl === undefined || holder === undefined || account === undefined)
  throw new Error('no chain');
const { ethereumUrl } = node;
const signer = privateKeyToAccount(holder.privateKey);
let nonce = 0;

/**
 * Makes the requests that are counted: parameters first, since making them is not part of the request.
 *
 * @type {readonly { url: string, method: string, most: number, params: () => Promise<readonly unknown[]> }[]}
 */
const REQUESTS = [
  { url: node.url, method: 'eth_getBalance', most: 25, params: async () => [account.address, 'latest'] },
  { url: ethereumUrl, method: 'eth_call', most: 38, params: async () => [{ to: signer.address }, 'latest'] },
  {
    url: ethereumUrl,
    method: 'eth_sendRawTransaction',
    most: 93,
    params: async () => {
      const fees = { gas: 21_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 0n };
      const fields = { type: 'eip1559', chainId: 31_337, nonce, to: signer.address, value: 1n, ...fees };
      nonce += 1;
      return [await signer.signTransaction(/** @type {any} */ (fields))];
    },
  },
];

const session = new Session();
session.connect();
await session.post('Profiler.enable');

for (const { url, method, most, params } of REQUESTS) {
  for (let i = 0; i < WARM_UP; i += 1) await call(url, method, ...(await params()));
  let files = await filesOf(url, method, await params());
  for (let i = 1; i < COUNTED; i += 1) {
    const others = new Set(await filesOf(url, method, await params()));
    files = files.filter((file) => others.has(file));
  }
  // It runs in the background.
  files = files.filter((file) => file !== 'evm/engine/warm-up.js');
  console.log(`${method} at ${new URL(url).pathname}: ${files.length} files (at most ${most})`);
  if (options.list) console.log(files.map((file) => `  ${file}`).join('\n'));
  if (files.length > most) process.exitCode = 1;
}

session.disconnect();
await node.stop();

/**
 * Returns the files in which a function ran for a request, in order.
 *
 * @param {string} url
 * @param {string} method
 * @param {readonly unknown[]} params
 * @returns {Promise<string[]>}
 */
async function filesOf(url, method, params) {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await call(url, method, ...params);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const ran = result.filter(({ functions }) =>
    functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0),
  );
  return ran.flatMap(({ url: file }) => (file.startsWith(FOLDER) ? [file.slice(FOLDER.length)] : [])).sort();
}
