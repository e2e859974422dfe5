import { afterAll, expect, test } from 'vitest';
import { DEFAULT_ETHEREUM, type NodeNotice } from '../index.ts';
import { ALICE, BOB, call, callEthereum, closeNodes, startNode } from './test-chain.testing.ts';

/** The first two keys' addresses of Ethereum's test mnemonic. */
const [FROM, TO] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
];
const HINT = "(Ethereum's tools use /ethereum of this node, or a node with --root ethereum)";
/** Code that always reverts. */
const REVERTING = '0x60006000fd';

afterAll(closeNodes);

async function startBoth() {
  const notices: NodeNotice[] = [];
  const node = await startNode(
    { ethereum: DEFAULT_ETHEREUM },
    { onNotice: (notice) => notices.push(notice) },
  );
  return { node, reported: () => notices.filter(({ kind }) => kind === 'ethereumClient') };
}

test.each([
  ['eth_sendTransaction', { from: FROM, to: TO, value: '0x1' }],
  ['eth_estimateGas', { from: FROM, data: '0xfe' }],
  ['eth_call', { from: FROM, to: ALICE, gas: '0x1', data: '0x00' }],
])('error: %s of the native interface says where a key has its account', async (method, request) => {
  const { node } = await startBoth();
  expect(await call(node, method, request)).toMatchObject({ message: expect.stringContaining(HINT) });
});

test('error: neither native addresses, nor reverts, nor /ethereum have the hint', async () => {
  const { node } = await startBoth();
  const failures = [
    await call(node, 'eth_sendTransaction', { from: ALICE, to: BOB, value: `0x${'f'.repeat(20)}` }),
    await call(node, 'eth_call', { from: FROM, data: REVERTING }),
    await callEthereum(node, 'eth_sendTransaction', { from: `0x${'ab'.repeat(20)}`, to: TO, value: '0x1' }),
  ];
  for (const failure of failures) {
    expect(failure).toMatchObject({ message: expect.not.stringContaining('--root') });
  }
});

test('behavior: the log names a client once a minute, whatever it calls', async () => {
  const { node, reported } = await startBoth();
  await call(node, 'eth_getBalance', ALICE);
  await callEthereum(node, 'eth_getBalance', FROM);
  expect(reported()).toEqual([]);
  await call(node, 'eth_getBalance', FROM, 'latest');
  await call(node, 'eth_getTransactionCount', TO, 'latest');
  expect(reported()).toEqual([{ kind: 'ethereumClient', client: '127.0.0.1', method: 'eth_getBalance' }]);
});

test('behavior: a chain without Ethereum reports nothing', async () => {
  const notices: NodeNotice[] = [];
  const node = await startNode({}, { onNotice: (notice) => notices.push(notice) });
  await call(node, 'eth_getBalance', FROM, 'latest');
  expect(notices.filter(({ kind }) => kind === 'ethereumClient')).toEqual([]);
});
