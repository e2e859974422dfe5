import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_FORK } from '../fork-configuration.ts';
import { DEFAULT_ETHEREUM, NO_BLOCK_GAS_LIMIT, type TestNode, type TestNodeConfiguration } from '../index.ts';
import { ALICE, call, callEthereum, closeNodes, startNode } from './test-chain.testing.ts';

/** Returns COINBASE and GASLIMIT. */
const CODE = '0x415f524560205260405ff3';
const SEEING = `0x${'11'.repeat(20)}`;
const MINER = `0x${'22'.repeat(20)}`;
const ZERO = `0x${'00'.repeat(20)}`;
const PRODUCER = '0x00000000000000000000000000000000000003ff';
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const DEFAULT_LIMIT = DEFAULT_ETHEREUM.blockGasLimit;

let folder: string;
let node: TestNode;
const start = (changes: Partial<TestNodeConfiguration> = {}): Promise<TestNode> =>
  startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM, ...changes });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  node = await start();
  await ask('anvil_setCode', SEEING, CODE);
});
afterEach(async () => {
  await closeNodes();
  rmSync(folder, { recursive: true });
});

const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
  callEthereum(node, method, ...params);
const field = async (name: string, block: string, at = ask): Promise<unknown> =>
  Object(await at('eth_getBlockByNumber', block, false))[name];
/** Returns the coinbase and the gas limit that code sees at a tag. */
async function seen(tag: string): Promise<readonly [string, bigint]> {
  const words = String(await ask('eth_call', { to: SEEING }, tag));
  return [`0x${words.slice(26, 66)}`, BigInt(`0x${words.slice(66)}`)];
}

describe('the coinbase', () => {
  test('default: the zero address, as in anvil 1.7.1 and Hardhat; at / the producer', async () => {
    await ask('evm_mine');
    expect([await ask('eth_coinbase'), await field('miner', '0x1'), await field('miner', '0x0')]).toEqual([
      ...[ZERO, ZERO, ZERO],
    ]);
    expect([await seen('latest'), await seen('pending'), await seen('0x0')]).toEqual(
      Array(3).fill([ZERO, DEFAULT_LIMIT]),
    );
    const native = (method: string, ...params: unknown[]): Promise<unknown> => call(node, method, ...params);
    expect([await native('eth_coinbase'), await field('miner', '0x1', native)]).toEqual([PRODUCER, PRODUCER]);
    const before = BigInt(String(await ask('eth_getBalance', PRODUCER, 'latest')));
    await ask('eth_sendTransaction', { from: SENDER, to: MINER });
    expect(BigInt(String(await ask('eth_getBalance', PRODUCER, 'latest')))).toBeGreaterThan(before);
    expect(await ask('eth_getBalance', ZERO, 'latest')).toBe('0x0');
  });

  test.each(['anvil_setCoinbase', 'hardhat_setCoinbase', 'ganache_setCoinbase', 'miner_setEtherbase'])(
    'default: %s sets it for calls at once, and for later blocks',
    async (method) => {
      expect(await ask(method, MINER)).toBeNull();
      expect([await ask('eth_coinbase'), await seen('latest'), await seen('pending')]).toEqual([
        ...[MINER, [MINER, DEFAULT_LIMIT], [MINER, DEFAULT_LIMIT]],
      ]);
      expect(await field('miner', 'latest')).toBe(ZERO);
      await ask('anvil_mine', '0x2');
      expect([await field('miner', '0x1'), await field('miner', '0x2')]).toEqual([MINER, MINER]);
      expect(await call(node, 'eth_coinbase')).toBe(PRODUCER);
    },
  );

  test('behavior: it is warm (EIP-3651), and traces touch it', async () => {
    const warm = `0x${'33'.repeat(20)}`;
    // The gas of reading the balance of COINBASE.
    await ask('anvil_setCode', warm, '0x5a4131505a90035f5260205ff3');
    await ask('anvil_setCoinbase', MINER);
    expect(Number(await ask('eth_call', { to: warm }, 'latest'))).toBeLessThan(200);
    await ask('anvil_setBalance', MINER, '0x1');
    const hash = await ask('eth_sendTransaction', { from: SENDER, to: warm });
    expect(await ask('debug_traceTransaction', hash, { tracer: 'prestateTracer' })).toHaveProperty(MINER);
    const [block] = (await ask('eth_simulateV1', { blockStateCalls: [{ calls: [] }] }, 'latest')) as object[];
    expect(block).toMatchObject({ miner: MINER });
  });

  test('behavior: pending transactions see a change', async () => {
    await ask('evm_setAutomine', false);
    await ask('anvil_setCode', SEEING, '0x415f5500');
    await ask('eth_sendTransaction', { from: SENDER, to: SEEING, gas: '0x186a0' });
    await ask('anvil_setCoinbase', MINER);
    await ask('evm_mine');
    expect(await ask('eth_getStorageAt', SEEING, '0x0', 'latest')).toBe(
      `0x${MINER.slice(2).padStart(64, '0')}`,
    );
  });

  test('behavior: restarts, snapshots, dumps and resets', async () => {
    node = await start({ dataDir: folder });
    await ask('anvil_setCode', SEEING, CODE);
    const before = await ask('evm_snapshot');
    await ask('anvil_setCoinbase', MINER);
    await ask('evm_setBlockGasLimit', '0x4c4b40');
    const patched = await ask('evm_snapshot');
    await ask('evm_mine');
    await node.close();
    node = await start({ dataDir: folder });
    expect(await seen('latest')).toEqual([MINER, 5_000_000n]);
    const dump = await ask('anvil_dumpState');
    await ask('evm_revert', patched);
    expect([await ask('eth_coinbase'), await seen('latest')]).toEqual([MINER, [MINER, 5_000_000n]]);
    await ask('evm_revert', before);
    expect([await ask('eth_coinbase'), await seen('latest')]).toEqual([ZERO, [ZERO, DEFAULT_LIMIT]]);
    expect(await ask('anvil_loadState', dump)).toBe(true);
    expect(await seen('latest')).toEqual([MINER, 5_000_000n]);
    expect([await field('miner', 'latest'), await field('gasLimit', 'latest')]).toEqual([MINER, '0x4c4b40']);
    await ask('anvil_reset');
    expect(await ask('eth_coinbase')).toBe(ZERO);
  });

  test('error: another one than the producer on a chain without Ethereum', async () => {
    const native = await startNode();
    expect(await call(native, 'anvil_setCoinbase', PRODUCER)).toBeNull();
    expect(await call(native, 'anvil_setCoinbase', ALICE)).toEqual({
      code: -32000,
      message: 'the producer of the genesis signs each block',
    });
  });
});

describe('the gas limit of blocks', () => {
  test('default: code, block objects and the node info show it', async () => {
    expect(await ask('evm_setBlockGasLimit', '0x4c4b40')).toBe(true);
    expect([await seen('latest'), await seen('pending')]).toEqual(Array(2).fill([ZERO, 5_000_000n]));
    await ask('evm_mine');
    expect(await field('gasLimit', 'latest')).toBe('0x4c4b40');
    expect(await field('gasLimit', '0x0')).toBe(`0x${DEFAULT_LIMIT.toString(16)}`);
    expect(await ask('anvil_nodeInfo')).toMatchObject({ environment: { gasLimit: '0x4c4b40' } });
    const endless = { from: SENDER, data: '0x5b5f56' };
    expect(await ask('eth_estimateGas', endless)).toMatchObject({
      message: expect.stringContaining('gas required exceeds allowance (5000000)'),
    });
  });

  test('behavior: before Osaka it is the most gas of a transaction, which is refused above it', async () => {
    node = await start({ hardfork: 'prague' });
    const send = (gas: number): Promise<unknown> =>
      ask('eth_sendTransaction', { from: SENDER, to: MINER, gas: `0x${gas.toString(16)}` });
    expect(await send(Number(DEFAULT_LIMIT))).toMatch(/^0x/);
    expect(await send(Number(DEFAULT_LIMIT) + 1)).toMatchObject({ code: -32000 });
    await ask('evm_setBlockGasLimit', 100_000_000);
    expect(await send(100_000_000)).toMatch(/^0x/);
    await ask('evm_setBlockGasLimit', 5_000_000);
    expect(await send(5_000_001)).toMatchObject({
      message: expect.stringContaining('exceeds block gas limit'),
    });
    expect(await send(5_000_000)).toMatch(/^0x/);
  });

  test('args: none: before Osaka a transaction has any gas that the pool takes, on a fork, too', async () => {
    const ethereum = { ...DEFAULT_ETHEREUM, blockGasLimit: NO_BLOCK_GAS_LIMIT };
    const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
      callEthereum(node, method, ...params);
    const expectNoLimit = async (): Promise<void> => {
      const send = { from: SENDER, to: MINER, gas: '0x1dcd6500' };
      expect(await ask('eth_sendTransaction', send)).toMatch(/^0x/);
      expect(await field('gasLimit', '0x1', ask)).toBe('0x1fffffffffffff');
      expect(await ask('eth_sendTransaction', { ...send, gas: '0x1dcd6501' })).toMatchObject({
        message: expect.stringContaining('500000000'),
      });
    };
    const upstream = await start();
    node = await start({ hardfork: 'prague', ethereum });
    expect(await field('gasLimit', '0x0', ask)).toBe('0x1fffffffffffff');
    await expectNoLimit();
    expect(await ask('evm_setBlockGasLimit', '0x4c4b40')).toBe(true);
    await ask('evm_mine');
    expect(await field('gasLimit', 'latest', ask)).toBe('0x4c4b40');
    const source = { kind: 'remote', url: `${upstream.url}/ethereum`, block: undefined } as const;
    const fork = { ...DEFAULT_FORK, source, trustsHeader: true, caches: false };
    node = await start({ hardfork: 'prague', ethereum, fork });
    await expectNoLimit();
  });

  test('behavior: native operations above it wait until it is raised', async () => {
    await ask('evm_setBlockGasLimit', '0x186a0');
    const hash = await call(node, 'eth_sendTransaction', { from: ALICE, data: '0x5b', gas: '0x30d40' });
    await ask('evm_mine');
    expect(await call(node, 'eth_getTransactionReceipt', hash)).toBeNull();
    await ask('evm_setBlockGasLimit', '0x30d40');
    expect(await call(node, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  });
});
