import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_CONFIGURATION, startTestNode, type TestNodeConfiguration } from '../index.ts';
import { call, closeNodes, head, send, startNode } from './test-chain.testing.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-control-'));
});

afterEach(async () => {
  await closeNodes();
  rmSync(dataDir, { recursive: true, force: true });
});

const restart = async (changes: Partial<TestNodeConfiguration> = {}) => {
  await closeNodes();
  return startNode({ dataDir, ...changes });
};

describe('a persistent test chain', () => {
  test('default: times and the block gas limit survive a restart', async () => {
    let node = await restart();
    await call(node, 'evm_increaseTime', 100_000);
    await call(node, 'anvil_setBlockTimestampInterval', 30);
    await call(node, 'evm_setBlockGasLimit', '0x5208');
    await call(node, 'evm_setNextBlockTimestamp', node.ledger.clock.now() + 500);
    const before = node.control.state;
    node = await restart();
    expect(node.control.state).toEqual(before);
    await send(node);
    const { timestamp } = await head(node);
    node = await restart();
    expect(node.control.state.timing).toMatchObject({ nextTimestamp: undefined, timestampInterval: 30 });
    await send(node);
    expect((await head(node)).timestamp).toBe(timestamp + 30);
  });

  test('behavior: the flags set the mining mode after a restart, and each run has a new instance id', async () => {
    let node = await restart();
    await call(node, 'evm_setAutomine', false);
    const { instanceId } = (await call(node, 'hardhat_metadata')) as { instanceId: string };
    node = await restart();
    expect(node.control.state.mode).toBe('instant');
    expect(await call(node, 'hardhat_metadata')).not.toMatchObject({ instanceId });
    node = await restart({ blockTime: 3_600, mining: false });
    expect(node.control.state).toMatchObject({ mode: 'manual', resumes: 'interval' });
  });

  test('error: a damaged file is named, and left as it is', async () => {
    await call(await restart(), 'evm_increaseTime', 5);
    await closeNodes();
    const path = join(dataDir, 'control.json');
    const text = readFileSync(path, 'utf8');
    for (const damaged of ['', '{}', text.replace('5', '"5"'), text.replace('2', '3'), ' '.repeat(5_000)]) {
      writeFileSync(path, damaged);
      const starting = startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, dataDir });
      await expect(starting).rejects.toThrow(`${path} is damaged: `);
      expect(readFileSync(path, 'utf8')).toBe(damaged);
    }
  });
});
