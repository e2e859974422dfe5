/** A proxy between the tools and a node that validates every response to them by the Execution APIs' schemas. */

import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import { components, results } from '../../execution-apis/document.js';
import { Endpoint } from './endpoint.js';

/** @typedef {import('./targets.js').Target} Target */
/** @typedef {import('./checks.js').Checks} Checks */

/** A pending transaction has the form that the document defines for the methods of the pool. */
const ALSO_PENDING = 'eth_getTransactionByHash';
const PENDING = { $ref: '#/components/schemas/PendingTransactionInfo' };
/** Maximum number of reported problems. */
const PROBLEMS_MAX = 20;

/**
 * Starts a proxy for a node of ledgerd; other targets are unchanged.
 *
 * @param {Target} target
 * @returns {Promise<{ target: Target, judge: (checks: Checks) => Promise<Checks['findings']> }>} the target as tools
 *   reach it, which stops the proxy as well; `judge` checks in the end that all responses fit
 */
export async function watchTarget(target) {
  const { pathname } = new URL(target.url);
  if (target.name !== 'ledgerd' && pathname !== '/ethereum')
    return { target, judge: () => Promise.resolve([]) };
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, number>} */
  const counts = new Map();
  const server = createServer((request, response) => {
    forward(target.url, request, response, (asked, answer) => {
      if (request.url !== pathname) return;
      const found = problemsOf(asked, answer, counts);
      problems.push(...found.slice(0, PROBLEMS_MAX - problems.length));
    }).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  // A row may keep this thread busy for longer than idle connections are kept by default.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a server without a port');
  const url = `http://127.0.0.1:${address.port}${pathname}`;
  const judge = async (/** @type {Checks} */ checks) => {
    const results = [...counts.values()].reduce((sum, count) => sum + count, 0);
    await checks.check(`every response fits: ${results} results of ${counts.size} methods`, () => {
      if (problems.length > 0) throw new Error(problems.join('\n'));
    });
    return checks.findings;
  };
  const stop = async (/** @type {'SIGTERM' | 'SIGKILL' | undefined} */ signal) => {
    server.close();
    server.closeAllConnections();
    await target.stop(signal);
  };
  return { target: { ...target, url, endpoint: new Endpoint(url), stop }, judge };
}

/**
 * @param {string} target
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {(asked: string, answer: string) => void} see
 */
async function forward(target, request, response, see) {
  const { method = 'POST', url = '/' } = request;
  const body = await text(request);
  const { 'transfer-encoding': _, ...headers } = request.headers;
  const length = String(Buffer.byteLength(body));
  const outgoing = httpRequest(new URL(url, target), {
    method,
    headers: { ...headers, 'content-length': length },
  });
  const answered = once(outgoing, 'response');
  outgoing.end(body);
  const [incoming] = await answered;
  const answer = await text(incoming);
  see(body, answer);
  response.writeHead(incoming.statusCode ?? 500, incoming.headers).end(answer);
}

/** @type {Map<string, import('ajv').ValidateFunction>} */
const checks = new Map();

/**
 * @param {string} asked
 * @param {string} answer
 * @param {Map<string, number>} counts
 * @returns {string[]}
 */
function problemsOf(asked, answer, counts) {
  const requests = itemsOf(asked);
  return itemsOf(answer).flatMap((response) => {
    const { method } = requests.find(({ id }) => id === response.id) ?? {};
    if (!('result' in response) || results[method] === undefined) return [];
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const check = checkOf(method);
    check(response.result);
    return (check.errors ?? []).map(({ instancePath, message }) => `${method}${instancePath}: ${message}`);
  });
}

/** @param {string} method */
function checkOf(method) {
  const known = checks.get(method);
  if (known !== undefined) return known;
  const result = results[method];
  const schema = method === ALSO_PENDING ? { anyOf: [result, PENDING] } : { ...result };
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  const check = ajv.compile({ ...schema, components });
  checks.set(method, check);
  return check;
}

/**
 * Returns the objects of a body, single or batch; none if it is not JSON.
 *
 * @param {string} body
 * @returns {any[]}
 */
function itemsOf(body) {
  try {
    const parsed = JSON.parse(body);
    return (Array.isArray(parsed) ? parsed : [parsed]).map(Object);
  } catch {
    return [];
  }
}
