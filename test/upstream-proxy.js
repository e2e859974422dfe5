/** The remote node of a forked chain, behind a proxy with latency and faults that counts requests. */

import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * @typedef {object} ProxyBehavior mutable at any time
 * @property {string} target the remote node
 * @property {number} latencyMs before each response
 * @property {((count: number) => Fault | undefined)} faultOf the fault of a request, by its number
 * @property {number} batchMax calls of a batch that are accepted
 * @property {ReadonlySet<string>} refused methods that the remote node does not have
 * @property {boolean} refusesHashes blocks by hash in the parameters of methods are refused (EIP-1898)
 * @property {((method: string, result: any) => any) | undefined} change of results
 * @property {Promise<void> | undefined} held requests wait for it
 */

/** @typedef {'429' | '503' | 'cut' | 'endless' | 'html' | 'wrong id'} Fault */

/** A part of a body without an end. */
const ENDLESS_PART = ' '.repeat(256 * 1024);

/**
 * Starts a proxy.
 *
 * @param {string} target
 * @param {Partial<ProxyBehavior>} [given]
 */
export async function startUpstreamProxy(target, given = {}) {
  /** @type {ProxyBehavior} */
  const behavior = {
    ...{ target, latencyMs: 0, faultOf: () => undefined, batchMax: Number.POSITIVE_INFINITY },
    ...{ refused: new Set(), refusesHashes: false, change: undefined, held: undefined },
    ...given,
  };
  const counts = { requests: 0, calls: 0, endlessBytes: 0 };
  /** @type {string[]} */
  const methods = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString());
    const list = Array.isArray(body) ? body : [body];
    counts.requests += 1;
    counts.calls += list.length;
    methods.push(...list.map(({ method }) => method));
    const fault = behavior.faultOf(counts.requests);
    const status = fault === '429' || fault === '503' ? Number(fault) : 200;
    const text = status === 200 ? await respond(body, behavior, fault) : 'busy';
    if (behavior.held !== undefined) await behavior.held;
    if (behavior.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, behavior.latencyMs));
    const headers = { 'content-type': 'application/json', ...(status !== 200 && { 'retry-after': '0' }) };
    if (fault === 'endless') {
      response.writeHead(200, headers);
      // The client ends it.
      await pipeline(endlessBody(counts), response).catch(() => undefined);
      return;
    }
    if (fault !== 'cut') {
      response.writeHead(status, headers).end(text);
      return;
    }
    response.writeHead(200, { 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    behavior,
    counts,
    methods,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve(undefined)));
    },
  };
}

/** @param {{ endlessBytes: number }} counts */
function* endlessBody(counts) {
  for (;;) {
    counts.endlessBytes += ENDLESS_PART.length;
    yield ENDLESS_PART;
  }
}

/**
 * @param {any} body
 * @param {ProxyBehavior} behavior
 * @param {Fault | undefined} fault
 * @returns {Promise<string>}
 */
async function respond(body, { target, batchMax, refused, refusesHashes, change }, fault) {
  if (fault === 'html') return '<html>please log in</html>';
  if (Array.isArray(body) && body.length > batchMax) {
    const message = batchMax < 2 ? 'batches are not supported' : `batch size exceeds ${batchMax}`;
    return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } });
  }
  const list = Array.isArray(body) ? body : [body];
  /** @param {any} call */
  const hasHash = ({ params }) => params.some((/** @type {any} */ value) => value?.blockHash !== undefined);
  const known = list.filter((one) => !refused.has(one.method) && !(refusesHashes && hasHash(one)));
  /** @type {any} */
  const sent =
    known.length === 0
      ? []
      : await fetch(target, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(known),
        }).then((response) => response.json());
  const responses = list.map(({ id, method }) => {
    const found = sent.find((/** @type {{ id: unknown }} */ other) => other.id === id);
    if (found === undefined) {
      const error = refused.has(method)
        ? { code: -32_601, message: `the method ${method} does not exist` }
        : { code: -32_602, message: 'invalid argument 1: hex string expected' };
      return { jsonrpc: '2.0', id, error };
    }
    const result = change === undefined ? found.result : change(method, found.result);
    return { ...found, ...('result' in found && { result }), id: fault === 'wrong id' ? id + 1_000 : id };
  });
  return JSON.stringify(Array.isArray(body) ? responses : responses[0]);
}
