/** The measured requests. */

/** Bodies that differ, as those of a client do. */
const BODIES = 64;
const BATCH = 100;

/**
 * A kind of request with its bodies. `calls` are those of one round; `parts` are counted each; `withoutCalls` leaves
 * the execution of calls out.
 *
 * @typedef {{ name: string, calls: number, bodies: Buffer[], parts?: number, withoutCalls?: boolean }} Work
 */

/**
 * Every kind of request.
 *
 * @param {import('./world.js').World} world
 * @returns {Work[]}
 */
export function workOn({ accounts, token, emitter, transfers, balances, fullBlock }) {
  const one = (name, calls, method, paramsOf, options = {}) => ({
    name,
    calls,
    bodies: Array.from({ length: BODIES }, (_, id) => bodyOf(requestOf(method, id, paramsOf(id)))),
    ...options,
  });
  const turn = (list) => (id) => list[id % list.length];
  const call = (id) => [{ to: token, data: turn(balances)(id) }, 'latest'];
  const batch = (id) =>
    Array.from({ length: BATCH }, (_, item) => requestOf('eth_call', item, call(id + item)));
  const batches = Array.from({ length: 4 }, (_, id) => bodyOf(batch(id)));
  const logs = { fromBlock: '0x0', toBlock: 'latest', address: emitter };
  const around = { withoutCalls: true };
  return [
    one('`eth_blockNumber`', 50_000, 'eth_blockNumber', () => []),
    one('`eth_chainId`', 50_000, 'eth_chainId', () => []),
    one('`eth_getBalance`', 30_000, 'eth_getBalance', (id) => [turn(accounts)(id), 'latest']),
    one('`eth_getTransactionReceipt`', 10_000, 'eth_getTransactionReceipt', (id) => [turn(transfers)(id)]),
    one('`eth_getTransactionByHash`', 10_000, 'eth_getTransactionByHash', (id) => [turn(transfers)(id)]),
    one('`eth_getBlockByNumber`, 100 hashes', 500, 'eth_getBlockByNumber', () => [fullBlock, false]),
    one('`eth_getBlockByNumber`, 100 transactions', 300, 'eth_getBlockByNumber', () => [fullBlock, true]),
    one('`eth_call` of `balanceOf`', 10_000, 'eth_call', call),
    one('`eth_call`, what is around the call', 20_000, 'eth_call', call, around),
    {
      name: 'batch of 100 such calls, what is around, each',
      calls: 200,
      bodies: batches,
      parts: BATCH,
      ...around,
    },
    one('`eth_getLogs`, 5,000 logs', 6, 'eth_getLogs', () => [logs]),
  ];
}

function requestOf(method, id, params) {
  return { jsonrpc: '2.0', id, method, params };
}

function bodyOf(request) {
  return Buffer.from(JSON.stringify(request));
}
