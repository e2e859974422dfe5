import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type BlockObject, errorOf, type ReceiptObject } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

let program: Program;
let probe: CompiledContract;

beforeAll(async () => {
  [program, probe] = await Promise.all([startProgram(), compileContract('Probe')]);
});

afterAll(() => program.stop());

async function headTime(): Promise<number> {
  return Number((await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false)).timestamp);
}

async function deployProbe(): Promise<string> {
  const [from] = await program.call<string[]>('eth_accounts');
  const hash = await program.call('eth_sendTransaction', { from, data: probe.bytecode });
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', hash);
  return receipt.contractAddress ?? '';
}

test('default: the total in seconds, as a quantity', async () => {
  const total = Number(await program.call('evm_increaseTime', 100));
  expect(await program.call('evm_increaseTime', '0xa')).toBe(`0x${(total + 10).toString(16)}`);
  expect(await program.call('evm_increaseTime', 0)).toBe(`0x${(total + 10).toString(16)}`);
});

test('behavior: the next block and the contracts in it see the new time', async () => {
  const address = await deployProbe();
  const before = await headTime();
  await program.call('evm_increaseTime', 86_400);
  expect(await headTime()).toBe(before);
  const [from] = await program.call<string[]>('eth_accounts');
  const data = encodeFunctionData({ abi: probe.abi, functionName: 'see' });
  const hash = await program.call('eth_sendTransaction', { from, to: address, data });
  const after = await headTime();
  expect(after).toBeGreaterThanOrEqual(before + 86_400);
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', hash);
  expect(Number(receipt.logs[0]?.data.slice(0, 66))).toBe(after);
});

test('behavior: a call sees the new time once a block has it', async () => {
  const address = await deployProbe();
  const before = await headTime();
  await program.call('evm_increaseTime', 1_000);
  await program.call('evm_mine');
  const data = encodeFunctionData({ abi: probe.abi, functionName: 'timestamp' });
  const output = await program.call<`0x${string}`>('eth_call', { to: address, data }, 'latest');
  const seen = decodeFunctionResult({ abi: probe.abi, functionName: 'timestamp', data: output });
  expect(Number(seen)).toBeGreaterThanOrEqual(before + 1_000);
});

test('behavior: block timestamps never decrease', async () => {
  const times: number[] = [];
  for (let blocks = 0; blocks < 5; blocks += 1) {
    await program.call('evm_mine');
    times.push(await headTime());
  }
  expect(times).toEqual(times.toSorted((left, right) => left - right));
});

test('error: not a number of seconds', async () => {
  for (const seconds of [-1, 1.5, '-0x1', 'soon', null, [], 1e30, undefined]) {
    expect([seconds, errorOf(await program.response('evm_increaseTime', seconds)).code]).toEqual([
      seconds,
      -32602,
    ]);
  }
});

test('behavior: transactions and accounts can be created at the latest possible time', async () => {
  const last = await startProgram();
  const refused = errorOf(await last.response('evm_increaseTime', 2 ** 32 - 1)).message;
  const latest = Number(/latest time of a block is (\d+)/.exec(refused)?.[1]);
  const genesis = await last.call<BlockObject>('eth_getBlockByNumber', 'earliest', false);
  // A minute is left for the test itself.
  await last.call('evm_increaseTime', latest - Number(genesis.timestamp) - 60);
  const [from, to] = await last.call<string[]>('eth_accounts');
  const hash = await last.call('eth_sendTransaction', { from, to, value: 1 });
  expect(await last.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  expect(await last.call('personal_newAccount', '')).toMatch(/^0x/);
  await last.stop();
});

test('error: past the last second that the format can write', async () => {
  const before = await headTime();
  const answer = await program.response('evm_increaseTime', 2 ** 32);
  expect(errorOf(answer).code).toBeLessThanOrEqual(-32000);
  await program.call('evm_mine');
  expect(await headTime()).toBeLessThan(before + 1_000_000);
});

describe('a time stamp for evm_mine', () => {
  test.each([
    ['a number', (time: number) => [time]],
    ['a QUANTITY', (time: number) => [`0x${time.toString(16)}`]],
    ['an object', (time: number) => [{ timestamp: time }]],
    ['an object with blocks', (time: number) => [{ timestamp: `0x${time.toString(16)}`, blocks: '0x3' }]],
  ])('args: %s: the block gets it, and time goes on from there', async (_title, parametersOf) => {
    const before = Number(await program.call('eth_blockNumber'));
    const time = (await headTime()) + 1_000_000;
    const [parameter] = parametersOf(time);
    expect(await program.call('evm_mine', parameter)).toBeNull();
    const first = `0x${(before + 1).toString(16)}`;
    const block = await program.call<BlockObject>('eth_getBlockByNumber', first, false);
    expect(Number(block.timestamp)).toBe(time);
    await program.call('evm_mine');
    expect(await headTime()).toBeGreaterThanOrEqual(time);
    expect(await headTime()).toBeLessThan(time + 1_000);
  });

  test('behavior: the time of the latest block is early enough; the clock stays ahead of it', async () => {
    const ahead = await program.call('evm_increaseTime', 500);
    const time = await headTime();
    await program.call('evm_mine', time);
    expect(await headTime()).toBe(time);
    expect(await program.call('evm_increaseTime', 0)).toBe(ahead);
    await program.call('evm_mine', {});
    expect(await headTime()).toBeGreaterThanOrEqual(time + 500);
  });

  test('behavior: the requested number of blocks is mined', async () => {
    const before = Number(await program.call('eth_blockNumber'));
    await program.call('evm_mine', { blocks: 7 });
    await program.call('evm_mine', null);
    expect(Number(await program.call('eth_blockNumber'))).toBe(before + 8);
  });

  test.each<[unknown, string]>([
    [0, 'expected '],
    ['0xffffffff', ', the time of the latest block, to 4294880895, got 4294967295'],
    [{ timestamp: 1 }, ', got 1'],
    [-1, 'got a negative number'],
    ['soon', 'expected a QUANTITY'],
    [{ blocks: 0 }, 'blocks: expected at least 1 block'],
    [{ time: 5 }, 'unknown key "time"'],
  ])('error: %j', async (parameter, message) => {
    const before = await program.call('eth_blockNumber');
    const error = errorOf(await program.response('evm_mine', parameter));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(message) });
    expect(error.message).toContain('invalid parameter 1 (timestamp)');
    expect(await program.call('eth_blockNumber')).toBe(before);
  });
});
