import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex, keccak256 } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import type { ReceiptObject } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

let program: Program;
let factory: CompiledContract;
let child: CompiledContract;
let account = '';
/** Address of the factory that a test has for itself. */
let address: Hex = '0x';

beforeAll(async () => {
  [program, factory, child] = await Promise.all([
    startProgram(),
    compileContract('Factory'),
    compileContract('Factory', 'Child'),
  ]);
  account = (await program.call<string[]>('eth_accounts'))[0] ?? '';
});

afterAll(() => program.stop());

beforeEach(async () => {
  const { contractAddress } = await send({ data: factory.bytecode });
  address = `0x${contractAddress?.slice(2)}`;
});

async function send(request: object): Promise<ReceiptObject> {
  const hash = await program.call('eth_sendTransaction', { from: account, ...request });
  return program.call<ReceiptObject>('eth_getTransactionReceipt', hash);
}

/** Calls the factory with enough gas for a call that fails; gives the addresses of the contracts it created. */
async function created(functionName: string, args: unknown[], value = '0x0'): Promise<string[]> {
  const data = encodeFunctionData({ abi: factory.abi, functionName, args });
  const receipt = await send({ to: address, data, value, gas: '0xf4240' });
  return receipt.logs.map(({ data: logged }) => `0x${logged.slice(-40)}`);
}

/** The address of the contract with this number; contracts are numbered one after another. */
function numbered(instance: number): string {
  return `0x01${instance.toString(16).padStart(38, '0')}`;
}

function instanceOf(contract: string): number {
  expect(contract).toMatch(/^0x010{6}/);
  return Number(`0x${contract.slice(4)}`);
}

test('default: contracts are numbered in the order of creation, whoever the creator is', async () => {
  const first = instanceOf(address);
  expect(await created('create', [7n])).toEqual([numbered(first + 1)]);
  expect(await created('createTwo', [8n])).toEqual([numbered(first + 2), numbered(first + 3)]);
  const next = await send({ data: factory.bytecode });
  expect(next.contractAddress).toBe(numbered(first + 4));
  const data = encodeFunctionData({ abi: child.abi, functionName: 'number' });
  expect(Number(await program.call('eth_call', { to: numbered(first + 3), data }))).toBe(9);
});

test('behavior: a reverted creation gets no number', async () => {
  const first = instanceOf(address);
  expect(await created('createAndFail', [1n])).toEqual([]);
  expect(await program.call('eth_getCode', numbered(first + 1), 'latest')).toBe('');
  expect(await created('createAfterFailure', [2n])).toEqual([numbered(first + 1)]);
  expect(await created('create', [3n])).toEqual([numbered(first + 2)]);
});

test('behavior: a salted creation has the address of EIP-1014, and takes a number too', async () => {
  const first = instanceOf(address);
  const salt = keccak256('0x01');
  const bytecode = encodeDeployData({ abi: child.abi, bytecode: child.bytecode, args: [5n] });
  const expected = getContractAddress({ opcode: 'CREATE2', from: address, salt, bytecode }).toLowerCase();
  expect(await created('createSalted', [5n, salt])).toEqual([expected]);
  expect(await program.call('eth_getCode', expected, 'latest')).toMatch(/^0x6080/);
  expect(await created('create', [6n])).toEqual([numbered(first + 2)]);
  expect(await created('createSalted', [5n, salt])).toEqual([]);
});

test('behavior: a creation transfers its value to the new contract', async () => {
  const [contract] = await created('create', [1n], '0x7b');
  expect(await program.call('eth_getBalance', contract)).toBe('0x7b');
  expect(await program.call('eth_getBalance', address)).toBe('0x0');
});
