import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ContractAbi, Web3 } from 'web3';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type Program, startProgram } from '../program.ts';

let program: Program;
let token: CompiledContract;
let probe: CompiledContract;
let web3: Web3;
let alice = '';
let bob = '';

beforeAll(async () => {
  [program, token, probe] = await Promise.all([
    startProgram(),
    compileContract('Token'),
    compileContract('Probe'),
  ]);
  web3 = new Web3(program.clientUrl);
  // A block of this ledger has no base fee, so the library must not look for one.
  web3.setConfig({
    defaultTransactionType: '0x0',
    transactionPollingInterval: 50,
    transactionReceiptPollingInterval: 50,
  });
  const accounts = await web3.eth.getAccounts();
  alice = accounts[0] ?? '';
  bob = accounts[1] ?? '';
});

afterAll(() => program.stop());

async function deploy(contract: CompiledContract, ...parameters: unknown[]) {
  const abi: ContractAbi = JSON.parse(JSON.stringify(contract.abi));
  const deployment = new web3.eth.Contract(abi).deploy({
    data: contract.bytecode,
    arguments: parameters,
  });
  return deployment.send({ from: alice });
}

test('default: the chain and a plain transfer', async () => {
  expect(await web3.eth.getChainId()).toBe(255n);
  expect(await web3.eth.net.getId()).toBe(255n);
  const before = await web3.eth.getBalance(bob);
  const receipt = await web3.eth.sendTransaction({ from: alice, to: bob, value: 9n });
  expect(receipt).toMatchObject({ status: 1n, from: alice, to: bob, gasUsed: 20n });
  expect(await web3.eth.getBalance(bob)).toBe(before + 9n);
  const block = await web3.eth.getBlock(receipt.blockNumber, true);
  expect(block.transactions).toMatchObject([{ value: 9n, hash: receipt.transactionHash }]);
});

test('behavior: a token is deployed, and moves', async () => {
  const contract = await deploy(token, 'Ledger Token', 'LT', 1_000n);
  const receipt = await contract.methods.transfer?.(bob, 40n).send({ from: alice });
  expect(await contract.methods.balanceOf?.(alice).call()).toBe(960n);
  expect(await contract.methods.balanceOf?.(bob).call()).toBe(40n);
  expect(receipt?.status).toBe(1n);
  expect(receipt?.events?.Transfer?.returnValues).toMatchObject({
    to: web3.utils.toChecksumAddress(bob),
    value: 40n,
  });
});

test('behavior: the reasons of reverted calls', async () => {
  const contract = await deploy(probe);
  const failure = async (call: () => unknown): Promise<unknown> => {
    try {
      return await call();
    } catch (error) {
      return error instanceof Error ? (error.cause ?? error) : error;
    }
  };
  expect(await failure(() => contract.methods.failWithReason?.('not today').call())).toMatchObject({
    message: expect.stringContaining('not today'),
  });
  expect(await failure(() => contract.methods.failWithError?.(42n, 'no').call())).toMatchObject({
    errorName: 'Refused',
    errorArgs: expect.objectContaining({ code: 42n, reason: 'no' }),
  });
  expect(await failure(() => contract.methods.noteAndFail?.(1n, 1n).send({ from: alice }))).toMatchObject({
    message: expect.stringContaining('taken back'),
  });
});

test('behavior: storage and value of a contract', async () => {
  const contract = await deploy(probe);
  await contract.methods.note?.(7n, 77n).send({ from: alice, value: '5' });
  const slot = web3.utils.soliditySha3({ type: 'uint256', value: 7 }, { type: 'uint256', value: 0 });
  expect(await web3.eth.getStorageAt(contract.options.address ?? '', slot ?? '')).toBe(
    `0x${'4d'.padStart(64, '0')}`,
  );
  expect(await web3.eth.getBalance(contract.options.address ?? '')).toBe(5n);
});
