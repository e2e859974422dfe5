import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Program, startProgram } from '../program.ts';
import { connect, MODES } from './viem-modes.ts';

const ANYWHERE = '0x1111111111111111111111111111111111111111';
const COINBASE = '0x00000000000000000000000000000000000003ff';

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.stop());

describe.each(MODES)("blocks by viem's test client in mode %s", (mode) => {
  test('default: mining', async () => {
    const client = connect(program, mode);
    const number = await client.getBlockNumber();
    await client.mine({ blocks: 3 });
    expect(await client.getBlockNumber()).toBe(number + 3n);
    await client.setAutomine(false);
    expect(await client.getAutomine()).toBe(false);
    await client.setAutomine(true);
    expect(await client.getAutomine()).toBe(true);
    await client.setBlockGasLimit({ gasLimit: 30_000_000n });
    await client.setCoinbase({ address: COINBASE });
    await client.setMinGasPrice({ gasPrice: 1n });
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 0n });
  });

  test('default: an interval, which mode hardhat takes for milliseconds', async () => {
    const client = connect(program, mode);
    await client.setIntervalMining({ interval: 2 });
    expect(await program.call('anvil_getIntervalMining')).toBe(mode === 'hardhat' ? 2_000 : 2);
    await client.setIntervalMining({ interval: 0 });
    await client.setAutomine(true);
  });

  test('default: time', async () => {
    const client = connect(program, mode);
    const { timestamp } = await client.getBlock();
    await client.setNextBlockTimestamp({ timestamp: timestamp + 1_000n });
    await client.mine({ blocks: 1 });
    expect((await client.getBlock()).timestamp).toBe(timestamp + 1_000n);
    await client.increaseTime({ seconds: 500 });
    await client.mine({ blocks: 1 });
    expect((await client.getBlock()).timestamp).toBeGreaterThanOrEqual(timestamp + 1_500n);
    // Mode hardhat takes this for milliseconds as well.
    await client.setBlockTimestampInterval({ interval: 60 });
    const interval = mode === 'hardhat' ? 60_000n : 60n;
    const before = (await client.getBlock()).timestamp;
    await client.mine({ blocks: 2 });
    expect((await client.getBlock()).timestamp).toBe(before + 2n * interval);
    await client.removeBlockTimestampInterval();
  });
});

describe.each(MODES)("the state by viem's test client in mode %s", (mode) => {
  test('default: setting balance, code, storage and nonce takes effect until reverted', async () => {
    const client = connect(program, mode);
    const [alice] = await client.getAddresses();
    if (alice === undefined) throw new Error('there are no test accounts');
    const number = await client.getBlockNumber();
    const before = await client.getBalance({ address: alice });
    const id = await client.snapshot();
    await client.setBalance({ address: alice, value: 1_234n });
    // Answers 42.
    await client.setCode({ address: ANYWHERE, bytecode: '0x602a60005260206000f3' });
    const value = `0x${'7'.padStart(64, '0')}` as const;
    await client.setStorageAt({ address: ANYWHERE, index: 3, value });
    await client.setNonce({ address: alice, nonce: 77 });
    expect(await client.getBalance({ address: alice })).toBe(1_234n);
    expect((await client.call({ to: ANYWHERE })).data).toBe(`0x${'2a'.padStart(64, '0')}`);
    expect(await client.getStorageAt({ address: ANYWHERE, slot: '0x3' })).toBe(value);
    expect(await client.getTransactionCount({ address: alice })).toBe(77);
    expect(await client.getBlockNumber()).toBe(number);
    await client.revert({ id });
    expect(await client.getBalance({ address: alice })).toBe(before);
    expect(await client.getCode({ address: ANYWHERE })).toBe('');
  });

  test('error: setBalance with 10 ether exceeds the maximum account balance', async () => {
    const client = connect(program, mode);
    await expect(client.setBalance({ address: ANYWHERE, value: parseEther('10') })).rejects.toThrow(
      'expected at most 9223372036854775807 native units',
    );
  });
});

describe.each(MODES)("the node by viem's test client in mode %s", (mode) => {
  test('default: the pool', async () => {
    const client = connect(program, mode);
    const [alice, bob] = await client.getAddresses();
    if (alice === undefined || bob === undefined) throw new Error('there are no test accounts');
    await client.setAutomine(false);
    const hash = await client.sendTransaction({ account: alice, to: bob, value: 5n });
    expect(await client.getTxpoolStatus()).toEqual({ pending: 1, queued: 0 });
    const { pending } = await client.getTxpoolContent();
    expect(Object.values(pending[alice] ?? {})).toMatchObject([{ hash, value: '0x5' }]);
    const inspected = Object.values((await client.inspectTxpool()).pending[alice] ?? {});
    expect(inspected).toEqual([`${bob}: 5 wei + 20 gas × 1 wei`]);
    await client.dropTransaction({ hash });
    expect(await client.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 });
    await client.setAutomine(true);
  });

  test('default: the log', async () => {
    const client = connect(program, mode);
    await client.setLoggingEnabled(false);
    await client.mine({ blocks: 1 });
    await client.setLoggingEnabled(true);
  });

  test('error: unsupported setters fail with the reason', async () => {
    const client = connect(program, mode);
    await expect(client.setCoinbase({ address: `0x${'11'.repeat(20)}` })).rejects.toThrow(
      'the producer of the genesis signs each block',
    );
    await expect(client.setRpcUrl('http://127.0.0.1:1')).rejects.toThrow('the chain is no fork');
    await expect(client.setMinGasPrice({ gasPrice: 7n })).rejects.toThrow('the price of gas is 1 here');
  });
});
