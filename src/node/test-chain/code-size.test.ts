import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { request } from '../../../test/rpc-client.js';
import { CODE_SIZE_LIMIT_MAX } from '../../consensus.ts';
import { startRelay } from '../fork/forked-nodes.testing.ts';
import { DEFAULT_FORK } from '../fork-configuration.ts';
import { DEFAULT_ETHEREUM, type TestNode, type TestNodeConfiguration } from '../index.ts';
import { callEthereum, closeNodes, startNode } from './test-chain.testing.ts';

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** Returns as many zero bytes as code. */
const codeOf = (bytes: number): string => `0x62${bytes.toString(16).padStart(6, '0')}5ff3`;
/** The same behind bytes that never run, so that the init code is as long. */
const initCodeOf = (bytes: number): string => `0x5f5ff3${'00'.repeat(bytes - 3)}`;
const GAS = '0xf42400';

afterEach(closeNodes);

const start = (
  codeSizeLimit: number | undefined,
  changes: Partial<TestNodeConfiguration> = {},
): Promise<TestNode> =>
  startNode({ network: 'local', ethereum: { ...DEFAULT_ETHEREUM, codeSizeLimit }, ...changes });

/** Sends a creation; its status and the length of its code. */
async function create(node: TestNode, data: string): Promise<unknown> {
  const hash = await callEthereum(node, 'eth_sendTransaction', { from: SENDER, data, gas: GAS });
  if (typeof hash !== 'string') return hash;
  const receipt = Object(await callEthereum(node, 'eth_getTransactionReceipt', hash));
  const code = String(await callEthereum(node, 'eth_getCode', receipt.contractAddress ?? SENDER, 'latest'));
  return [receipt.status, code.length / 2 - 1];
}

test('default: code of 24,576 bytes and init code of 49,152 (EIP-170, EIP-3860)', async () => {
  const node = await start(undefined);
  expect(await create(node, codeOf(24_576))).toEqual(['0x1', 24_576]);
  expect(await create(node, codeOf(24_577))).toEqual(['0x0', 0]);
  expect(await create(node, initCodeOf(49_152))).toEqual(['0x1', 0]);
  const message = expect.stringContaining('max initcode size exceeded: 49153 bytes, the limit is 49152');
  expect(await create(node, initCodeOf(49_153))).toMatchObject({ message });
});

test('args: a limit holds for transactions, calls, estimates, traces and simulations', async () => {
  const node = await start(32_768);
  expect(await create(node, codeOf(32_768))).toEqual(['0x1', 32_768]);
  expect(await create(node, codeOf(32_769))).toEqual(['0x0', 0]);
  expect(await create(node, initCodeOf(65_536))).toEqual(['0x1', 0]);
  const tooLong = { from: SENDER, data: initCodeOf(65_537) };
  const message = expect.stringContaining('max initcode size exceeded: 65537 bytes, the limit is 65536');
  const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
    callEthereum(node, method, ...params);
  expect(await create(node, tooLong.data)).toMatchObject({ message });
  expect(await ask('eth_call', tooLong, 'latest')).toMatchObject({ message });
  expect(await ask('eth_estimateGas', tooLong)).toMatchObject({ message: 'max initcode size exceeded' });
  const fitting = { from: SENDER, data: codeOf(32_768) };
  const tooLarge = { from: SENDER, data: codeOf(32_769) };
  expect(String(await ask('eth_call', fitting, 'latest'))).toHaveLength(2 + 2 * 32_768);
  expect(Number(await ask('eth_estimateGas', fitting))).toBeGreaterThan(200 * 32_768);
  const exceeded = { message: expect.stringContaining('max code size exceeded') };
  expect(await ask('eth_call', tooLarge, 'latest')).toMatchObject(exceeded);
  expect(await ask('eth_estimateGas', tooLarge)).toMatchObject(exceeded);
  expect(await ask('debug_traceCall', tooLarge, 'latest', { tracer: 'callTracer' })).toMatchObject({
    error: 'max code size exceeded',
  });
  const simulated = [fitting, tooLarge].map((call) => ({ ...call, gas: GAS }));
  expect(await ask('eth_simulateV1', { blockStateCalls: [{ calls: simulated }] }, 'latest')).toMatchObject([
    { calls: [{ status: '0x1' }, { status: '0x0' }] },
  ]);
});

test('args: a lower limit, as in anvil, leaves the preinstalled contracts', async () => {
  const node = await start(1_024);
  expect(await create(node, codeOf(1_024))).toEqual(['0x1', 1_024]);
  expect(await create(node, codeOf(1_025))).toEqual(['0x0', 0]);
  const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
  expect(await callEthereum(node, 'eth_getCode', deployer, 'latest')).not.toBe('0x');
});

test('args: no limit', async () => {
  const node = await start(CODE_SIZE_LIMIT_MAX);
  expect(await create(node, codeOf(75_000))).toEqual(['0x1', 75_000]);
  expect(await create(node, initCodeOf(100_000))).toEqual(['0x1', 0]);
});

test('behavior: restarts, resets, loaded states and further chains keep the limit', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await start(32_768, { dataDir });
  const snapshot = await callEthereum(first, 'evm_snapshot');
  expect(await create(first, codeOf(32_768))).toEqual(['0x1', 32_768]);
  expect(await callEthereum(first, 'evm_revert', snapshot)).toBe(true);
  expect(await create(first, codeOf(32_768))).toEqual(['0x1', 32_768]);
  const dump = await callEthereum(first, 'anvil_dumpState');
  await first.close();
  await expect(start(undefined, { dataDir })).rejects.toThrow('ethereum');

  const node = await start(32_768, { dataDir });
  expect(await create(node, codeOf(32_768))).toEqual(['0x1', 32_768]);
  await callEthereum(node, 'anvil_reset');
  expect(await create(node, codeOf(32_768))).toEqual(['0x1', 32_768]);
  // A dump of the whole chain has its rules, like those of its hard fork.
  const other = await start(undefined);
  expect(await callEthereum(other, 'anvil_loadState', dump)).toBe(true);
  expect(await create(other, codeOf(32_768))).toEqual(['0x1', 32_768]);
  const further = `${node.url}/chain/1/ethereum`;
  const { result } = await request(further, 'eth_estimateGas', { from: SENDER, data: codeOf(32_768) });
  expect(Number(result)).toBeGreaterThan(200 * 32_768);
});

test('behavior: a fork has the limit of its own node', async () => {
  const { url } = await start(undefined);
  const remote = await startRelay({ url: `${url}/ethereum` });
  const source = { kind: 'remote', url: remote.url, block: undefined } as const;
  const fork = { ...DEFAULT_FORK, source, trustsHeader: true, caches: false };
  const node = await start(32_768, { fork });
  expect(await create(node, codeOf(32_768))).toEqual(['0x1', 32_768]);
});
