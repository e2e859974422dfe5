import { expect, test, vi } from 'vitest';
import { PENDING_TRANSACTIONS_MAX } from '../src/ledger/pool/pool-index.ts';
import { DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM, DEFAULT_NODE_CONFIGURATION } from '../src/node/index.ts';
import { ALICE, BOB, call, closeNodes, startNode } from '../src/node/test-chain/test-chain.testing.ts';
import { KNOWS_ETHEREUM } from './chain-kind.ts';

vi.mock('../src/ledger/pool/pool-index.ts', async (original) => ({
  ...(await original<typeof import('../src/ledger/pool/pool-index.ts')>()),
  PENDING_TRANSACTIONS_MAX: 3,
}));

test('default: test nodes use the profile and worker count of the test run', () => {
  expect(DEFAULT_CONFIGURATION.ethereum).toEqual(KNOWS_ETHEREUM ? DEFAULT_ETHEREUM : undefined);
  const workers = Number(process.env.LEDGERD_WORKERS ?? 0);
  expect([DEFAULT_CONFIGURATION.workers, DEFAULT_NODE_CONFIGURATION.workers]).toEqual([workers, workers]);
});

test('behavior: limits set by a test apply with every profile and worker count', async () => {
  const node = await startNode({ mining: false });
  try {
    const pay = (value: number) =>
      call(node, 'eth_sendTransaction', { from: ALICE, to: BOB, value: `0x${value}` });
    for (let sent = 1; sent <= PENDING_TRANSACTIONS_MAX; sent += 1) await pay(sent);
    expect(await pay(9)).toMatchObject({ message: expect.stringContaining('the pending pool is full') });
  } finally {
    await closeNodes();
  }
});
