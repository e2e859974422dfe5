import { afterEach, describe, expect, test } from 'vitest';
import { ALICE, BOB, call, closeNodes, send, startNode } from './test-chain.testing.ts';

afterEach(closeNodes);

/** A node on which one transfer is in a block, and three operations of two payers wait. */
async function startWaiting(history = true) {
  const node = await startNode({ history });
  await send(node);
  await call(node, 'evm_setAutomine', false);
  const first = await send(node, '0x2');
  const second = await send(node, '0x3');
  const deploy = { from: BOB, data: '0x5b', gas: '0x186a0' };
  const third = String(await call(node, 'eth_sendTransaction', deploy));
  return { node, first, second, third };
}

describe('pending transactions', () => {
  test('default: by payer, and by the count of its operations', async () => {
    const { node, first, second, third } = await startWaiting();
    const content = {
      [ALICE]: { 1: expect.objectContaining({ hash: first }), 2: expect.objectContaining({ hash: second }) },
      [BOB]: { 0: expect.objectContaining({ hash: third, to: null }) },
    };
    expect(await call(node, 'txpool_content')).toEqual({ pending: content, queued: {} });
    expect(await call(node, 'txpool_contentFrom', ALICE)).toEqual({ pending: content[ALICE], queued: {} });
    expect(await call(node, 'txpool_status')).toEqual({ pending: '0x3', queued: '0x0' });
    expect(await call(node, 'txpool_inspect')).toEqual({
      pending: {
        [ALICE]: { 1: `${BOB}: 2 wei + 20 gas × 1 wei`, 2: `${BOB}: 3 wei + 20 gas × 1 wei` },
        [BOB]: { 0: 'contract creation: 0 wei + 100000 gas × 1 wei' },
      },
      queued: {},
    });
  });

  test('args: without the history it is counted from 0', async () => {
    const { node } = await startWaiting(false);
    const { pending } = (await call(node, 'txpool_content')) as { pending: Record<string, object> };
    expect(Object.keys(pending[ALICE] ?? {})).toEqual(['0', '1']);
  });

  test('default: a transaction is dropped by its hash, and other hashes drop nothing', async () => {
    const { node, first, second, third } = await startWaiting();
    expect(await call(node, 'anvil_dropTransaction', first)).toBe(first);
    expect(await call(node, 'ganache_dropTransaction', first)).toBeNull();
    expect(await call(node, 'hardhat_dropTransaction', first)).toBe(false);
    expect(await call(node, 'eth_getTransactionByHash', first)).toBeNull();
    expect(await call(node, 'hardhat_dropTransaction', third)).toBe(true);
    await call(node, 'evm_mine');
    expect(node.ledger.blocks.head().operationCount).toBe(1);
    expect(await call(node, 'anvil_dropTransaction', second)).toBeNull();
    expect(await call(node, 'hardhat_dropTransaction', second)).toBe(false);
  });

  test('default: all of one payer are dropped', async () => {
    const { node } = await startWaiting();
    await call(node, 'anvil_removePoolTransactions', ALICE);
    expect(await call(node, 'txpool_status')).toMatchObject({ pending: '0x1' });
    await call(node, 'anvil_dropAllTransactions');
    expect(await call(node, 'txpool_status')).toMatchObject({ pending: '0x0' });
  });

  test('behavior: a call waiting for a transaction fails when the transaction is dropped', async () => {
    const { node } = await startWaiting();
    const sent = call(node, 'eth_sendTransactionSync', { from: ALICE, to: BOB, value: '0x9' });
    while (node.ledger.pool.pendingCount < 4) await call(node, 'eth_blockNumber');
    await call(node, 'debug_clearTxpool');
    expect(await sent).toEqual({
      code: -32000,
      message: expect.stringContaining('the transaction was removed from the pending pool by a call'),
    });
  });

  test('error: the EVM address of an account is not its own', async () => {
    const { node } = await startWaiting();
    const evmAddress = `0x${Buffer.from(node.description.accounts[0]?.evmAddress ?? []).toString('hex')}`;
    for (const method of ['anvil_removePoolTransactions', 'txpool_contentFrom']) {
      expect(await call(node, method, evmAddress)).toEqual({
        code: -32000,
        message: `${evmAddress} is the EVM address of the account ${ALICE}: send from that address`,
      });
    }
  });
});
