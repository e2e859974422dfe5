import { expect, onTestFinished, test } from 'vitest';
import { ethereumAddress, sendBy, signedBy } from '../../src/ledger/ethereum.testing.ts';
import { accountAt, keyAt, sign, transfer } from '../../src/ledger/ledger.testing.ts';
import { DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM, startTestNode } from '../../src/node/index.ts';
import { createAddress, toPrefixedHex } from '../../src/protocol/index.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../../src/rpc/ethereum/chain.testing.ts';
import { ETHEREUM_INTERFACE, ETHEREUM_METHODS } from '../../src/rpc/index.ts';
import { ethereumCall } from '../../src/rpc/rpc.testing.ts';
import { request } from '../rpc-client.js';
import { EXECUTION_METHODS, problemsWithExecutionApis } from './result-check.ts';

/** Methods of theirs that there are not, as the interface says itself. */
const ABSENT = ['eth_getBlockAccessList'];

/** Methods that take none. */
const WITHOUT_PARAMETERS = [
  ...['eth_accounts', 'eth_baseFee', 'eth_blobBaseFee', 'eth_blockNumber', 'eth_capabilities', 'eth_chainId'],
  ...['eth_coinbase', 'eth_config', 'eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_syncing', 'net_version'],
  ...['txpool_content', 'txpool_status', 'eth_newBlockFilter'],
];

/** The response of a method. */
interface Answer {
  readonly method: string;
  readonly result: unknown;
}

test('default: only one shape difference is recorded, and only the excluded methods are absent', () => {
  expect(ETHEREUM_INTERFACE.shapeDifferences).toMatchObject([
    { object: 'Receipt', field: 'blockTimestamp', kind: 'additional' },
  ]);
  const missing = EXECUTION_METHODS.filter((name) => !ETHEREUM_METHODS.has(name));
  expect(missing.sort()).toEqual([...ABSENT].sort());
});

/** Answers of every method on a chain that has transactions of all kinds, in blocks and waiting. */
async function answersOfChain(): Promise<readonly Answer[]> {
  const { ledger, dispatcher } = await openEthereumChain({ mining: 'manual' });
  const [alice, bob] = [ethereumAddress(0), ethereumAddress(1)];
  const to = createAddress(alice, 0n);
  sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
  const called = toPrefixedHex(sendBy(0, ledger, { to, data: word(7), gas: 100_000n }));
  const failed = toPrefixedHex(sendBy(1, ledger, { to, gas: 100_000n }));
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 9n)], [keyAt(0)]));
  const filter = ethereumCall(dispatcher, 'eth_newFilter', { fromBlock: '0x0' });
  const pendingFilter = ethereumCall(dispatcher, 'eth_newPendingTransactionFilter');
  const blockFilter = ethereumCall(dispatcher, 'eth_newBlockFilter');
  ledger.miner.mine();
  const waiting = toPrefixedHex(sendBy(1, ledger, { value: 1n }));
  sendBy(1, ledger, { nonce: 5n });
  const raw = toPrefixedHex(signedBy(2, ledger, { value: 1n }));
  const { hash } = ethereumCall(dispatcher, 'eth_getBlockByNumber', 'latest', false) as { hash: string };
  const request = { from: toPrefixedHex(bob), to: toPrefixedHex(to), input: toPrefixedHex(word(3)) };
  const contract = toPrefixedHex(to);

  const calls: readonly (readonly [method: string, ...params: unknown[]])[] = [
    ...WITHOUT_PARAMETERS.map((method) => [method] as const),
    ['eth_newPendingTransactionFilter'],
    ['eth_sendRawTransaction', raw],
    ['eth_newFilter', { address: contract }],
    ['eth_uninstallFilter', '0x1'],
    ['txpool_contentFrom', toPrefixedHex(bob)],
    ['eth_call', request, 'latest'],
    ['eth_estimateGas', request],
    ['eth_createAccessList', request, 'latest'],
    ['eth_fillTransaction', request],
    ['eth_fillTransaction', { ...request, gasPrice: '0x2540be400' }],
    ['eth_fillTransaction', { ...request, gasPrice: '0x2540be400', accessList: [] }],
    ['eth_feeHistory', '0x5', 'latest', [10, 50]],
    ['eth_feeHistory', '0x1', 'latest', []],
    ['eth_getBalance', contract, 'latest'],
    ['eth_getCode', contract, 'latest'],
    ['eth_getStorageAt', contract, '0x0', 'latest'],
    ['eth_getProof', contract, [], 'latest'],
    ['eth_getStorageValues', { [contract]: ['0x0', '0x1'] }, 'latest'],
    ['eth_getTransactionCount', contract, 'pending'],
    ['eth_getBlockByNumber', 'latest', true],
    ['eth_getBlockByNumber', 'latest', false],
    ['eth_getBlockByNumber', '0x0', true],
    ['eth_getBlockByNumber', '0x99', true],
    ['eth_getBlockByHash', hash, true],
    ['eth_getBlockReceipts', 'latest'],
    ['eth_getBlockTransactionCountByHash', hash],
    ['eth_getBlockTransactionCountByNumber', 'latest'],
    ['eth_getLogs', { fromBlock: '0x0' }],
    ['eth_getFilterLogs', filter],
    ['eth_getFilterChanges', filter],
    ['eth_getFilterChanges', pendingFilter],
    ['eth_getFilterChanges', blockFilter],
    ['eth_getTransactionByHash', called],
    ['eth_getTransactionByBlockHashAndIndex', hash, '0x3'],
    ['eth_getTransactionByBlockNumberAndIndex', 'latest', '0x0'],
    ['eth_getTransactionReceipt', called],
    ['eth_getTransactionReceipt', failed],
    ['eth_getTransactionByHash', waiting],
    ['eth_getTransactionReceipt', waiting],
    ['eth_simulateV1', { blockStateCalls: [{ calls: [request, { to: contract }] }, {}] }, 'latest'],
    ['eth_simulateV1', { blockStateCalls: [{ calls: [request] }], returnFullTransactions: true }],
  ];
  return calls.map(([method, ...params]) => ({
    method,
    result: ethereumCall(dispatcher, method, ...params),
  }));
}

/** Answers of the methods that a wallet answers: in test mode, of an account that the node has the key of. */
async function answersOfWallet(): Promise<readonly Answer[]> {
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, ethereum: DEFAULT_ETHEREUM });
  onTestFinished(() => node.close());
  const [from, to] = (node.description.ethereum?.accounts ?? []).map(({ address }) => toPrefixedHex(address));
  const gasPrice = '0x2540be400';
  const calls: readonly (readonly [method: string, ...params: unknown[]])[] = [
    ['eth_accounts'],
    ['eth_sendTransaction', { from, to, value: '0x1' }],
    ['eth_sendTransaction', { from, data: toPrefixedHex(LOGGING_CODE) }],
    ['eth_sign', from, '0x1234'],
    ['eth_signTransaction', { from, to, value: '0x1' }],
    ['eth_signTransaction', { from, data: toPrefixedHex(LOGGING_CODE) }],
    ['eth_signTransaction', { from, to, gasPrice }],
    ['eth_signTransaction', { from, to, gasPrice, accessList: [{ address: to, storageKeys: [] }] }],
  ];
  const answers: Answer[] = [];
  for (const [method, ...params] of calls) {
    const { result, error } = await request(`${node.url}/ethereum`, method, ...params);
    answers.push({ method, result: error ?? result });
  }
  return answers;
}

test('behavior: real answers of every method have the shapes of the Execution APIs', async () => {
  const answers = [...(await answersOfChain()), ...(await answersOfWallet())];
  for (const { method, result } of answers) {
    expect([method, result]).not.toEqual([method, expect.objectContaining({ code: expect.any(Number) })]);
    expect([method, problemsWithExecutionApis(method, result)]).toEqual([method, []]);
  }
  const asked = new Set(answers.map(({ method }) => method));
  expect(EXECUTION_METHODS.filter((name) => !asked.has(name)).sort()).toEqual([...ABSENT].sort());
});

test('error: a result of another shape is reported', () => {
  expect(problemsWithExecutionApis('eth_chainId', 31_337)).toEqual([
    'result: must be string, say the Execution APIs',
  ]);
});
