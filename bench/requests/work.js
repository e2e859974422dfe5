/** The measured requests. */

/** Bodies that differ, as those of a client do. */
const BODIES = 64;

/**
 * A kind of request with its bodies. `calls` are those of one round; `withoutCalls` leaves the execution of calls out.
 *
 * @typedef {{ name: string, calls: number, bodies: Buffer[], withoutCalls?: boolean }} Work
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
    bodies: Array.from({ length: BODIES }, (_, id) =>
      Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params: paramsOf(id) })),
    ),
    ...options,
  });
  const turn = (list) => (id) => list[id % list.length];
  const call = (id) => [{ to: token, data: turn(balances)(id) }, 'latest'];
  const logs = { fromBlock: '0x0', toBlock: 'latest', address: emitter };
  return [
    one('`eth_blockNumber`', 50_000, 'eth_blockNumber', () => []),
    one('`eth_chainId`', 50_000, 'eth_chainId', () => []),
    one('`eth_getBalance`', 30_000, 'eth_getBalance', (id) => [turn(accounts)(id), 'latest']),
    one('`eth_getTransactionReceipt`', 10_000, 'eth_getTransactionReceipt', (id) => [turn(transfers)(id)]),
    one('`eth_getTransactionByHash`', 10_000, 'eth_getTransactionByHash', (id) => [turn(transfers)(id)]),
    one('`eth_getBlockByNumber`, 100 hashes', 500, 'eth_getBlockByNumber', () => [fullBlock, false]),
    one('`eth_getBlockByNumber`, 100 transactions', 300, 'eth_getBlockByNumber', () => [fullBlock, true]),
    one('`eth_call` of `balanceOf`', 10_000, 'eth_call', call),
    one('`eth_call` without its execution', 20_000, 'eth_call', call, { withoutCalls: true }),
    one('`eth_getLogs`, 5,000 logs', 6, 'eth_getLogs', () => [logs]),
  ];
}
