import { encodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { errorOf, type ReceiptObject } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

/** Creation code that answers the word 42. */
const ANSWER_42 = '0x602a60005260206000f3';
/** Code that jumps to its own beginning for ever. */
const ENDLESS = '0x5b600056';

let program: Program;
let probe: CompiledContract;
let alice = '';
let bob = '';
let address: string | null = null;

beforeAll(async () => {
  [program, probe] = await Promise.all([startProgram(), compileContract('Probe')]);
  const accounts = await program.call<string[]>('eth_accounts');
  alice = accounts[0] ?? '';
  bob = accounts[1] ?? '';
  address = (await send({ data: probe.bytecode })).contractAddress;
});

afterAll(() => program.stop());

async function send(request: object): Promise<ReceiptObject> {
  const hash = await program.call('eth_sendTransaction', { from: alice, ...request });
  return program.call<ReceiptObject>('eth_getTransactionReceipt', hash);
}

function calling(functionName: string, ...args: unknown[]) {
  return { from: alice, to: address, data: encodeFunctionData({ abi: probe.abi, functionName, args }) };
}

test('default: a call changes no state', async () => {
  const before = await program.call('eth_getBlockByNumber', 'latest', true);
  expect(await program.call('eth_call', { ...calling('note', 1n, 2n), value: '0x5' })).toBe('0x');
  expect(BigInt(await program.call<string>('eth_call', calling('notes', 1n)))).toBe(0n);
  expect(await program.call('eth_getBalance', address)).toBe('0x0');
  expect(await program.call('eth_getBlockByNumber', 'latest', true)).toEqual(before);
});

test('behavior: accounts, empty addresses and precompiled contracts answer too', async () => {
  expect(await program.call('eth_call', { to: bob, data: '0x1234' })).toBe('0x');
  expect(await program.call('eth_call', { to: `0x${'ab'.repeat(20)}` })).toBe('0x');
  const sha256 = `0x${'2'.padStart(40, '0')}`;
  expect(await program.call('eth_call', { to: sha256, data: '0x616263' })).toBe(
    '0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('behavior: without a receiver the data is run as creation code', async () => {
  expect(await program.call('eth_call', { data: ANSWER_42 })).toBe(`0x${'2a'.padStart(64, '0')}`);
  expect(await program.call('eth_call', {})).toBe('0x');
});

test('behavior: data under either name, or under both if equal', async () => {
  const { data, ...rest } = calling('timestamp');
  const seen = await program.call('eth_call', { ...rest, input: data });
  expect(await program.call('eth_call', { ...rest, data, input: data })).toBe(seen);
});

test('error: the ways in which a call fails', async () => {
  const reverted = errorOf(await program.response('eth_call', calling('failWithReason', 'no')));
  expect(reverted).toMatchObject({
    code: 3,
    message: 'execution reverted: no',
    data: expect.stringMatching(/^0x08c379a0/),
  });
  const custom = errorOf(await program.response('eth_call', calling('failWithError', 1n, 'no')));
  expect([custom.code, String(custom.data).slice(0, 2)]).toEqual([3, '0x']);
  for (const data of [ENDLESS, '0xfe', '0x50', '0x600056']) {
    expect([data, errorOf(await program.response('eth_call', { data })).code]).toEqual([data, -32000]);
  }
  const unpaid = errorOf(await program.response('eth_call', { to: bob, value: '0x1' }));
  const nobody = `0x${'00'.repeat(20)}`;
  expect(unpaid).toEqual({
    code: -32000,
    message: `insufficient funds for gas * price + value: address ${nobody} have 0 want 1`,
  });
});

test('default: an estimate is the least that succeeds', async () => {
  expect(await program.call('eth_estimateGas', { from: alice, to: bob, value: '0x1' })).toBe('0x14');
  const estimate = Number(await program.call('eth_estimateGas', calling('note', 5n, 5n)));
  const less = `0x${(estimate - 1).toString(16)}`;
  expect(await send({ ...calling('note', 5n, 5n), gas: less })).toMatchObject({
    status: '0x0',
    gasUsed: less,
    logs: [],
  });
  const enough = `0x${estimate.toString(16)}`;
  expect(await send({ ...calling('note', 5n, 5n), gas: enough })).toMatchObject({ status: '0x1' });
});

test('error: an estimate of a reverting call returns the revert error', async () => {
  const error = errorOf(await program.response('eth_estimateGas', calling('failWithReason', 'no')));
  expect(error).toMatchObject({ code: 3, message: 'execution reverted: no' });
});

test('behavior: a creation that fails is included without a contract', async () => {
  const receipt = await send({ data: '0x60006000fd', gas: '0x186a0' });
  expect(receipt).toMatchObject({ status: '0x0', contractAddress: null, logs: [] });
  expect(Number(receipt.gasUsed)).toBeLessThan(100_000);
  const exhausted = await send({ data: ENDLESS, gas: '0x186a0' });
  expect(exhausted).toMatchObject({ status: '0x0', contractAddress: null, gasUsed: '0x186a0' });
});

test('error: a value that a contract does not take, gas below the least', async () => {
  const refusal = async (request: object) =>
    errorOf(await program.response('eth_sendTransaction', { from: alice, ...request }));
  expect((await refusal({ to: address, value: '0x1' })).code).toBe(3);
  expect(await refusal({ ...calling('note', 1n, 1n), gas: '0x5208' })).toMatchObject({
    code: -32000,
    message: expect.stringMatching(/intrinsic gas too low/),
  });
});

test('behavior: 100 sends and 100 calls run concurrently', async () => {
  const before = BigInt(await program.call<string>('eth_getBalance', bob));
  const sends = Array.from({ length: 100 }, () => send({ to: bob, value: '0x1' }));
  const calls = Array.from({ length: 100 }, () => program.call('eth_call', calling('timestamp')));
  const receipts = await Promise.all(sends);
  await Promise.all(calls);
  expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(100);
  expect(BigInt(await program.call<string>('eth_getBalance', bob))).toBe(before + 100n);
});

test('args: an estimate from the zero address equals one without a sender', async () => {
  const from = `0x${'00'.repeat(20)}`;
  expect(await program.call('eth_estimateGas', { from, to: bob, value: '0x1' })).toBe('0x14');
  const creation = { data: '0x600160005260206000f3' };
  const estimate = await program.call('eth_estimateGas', creation);
  expect(await program.call('eth_estimateGas', { from, ...creation })).toBe(estimate);
});
